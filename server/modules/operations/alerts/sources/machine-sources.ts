import { findClockFault } from "../../../../db/business-time.ts";
import type { Db } from "../../../../db/database.ts";
import { type Clock, DAY, HOUR, MINUTE, toTimestamp } from "../../../../lib/clock.ts";
import type {
  BackupService,
  RecoveryDesk,
  SecondBackupPlace,
} from "../../../safety/backups/index.ts";
import type { UpdateService } from "../../../safety/updates/index.ts";
import type { ReachService } from "../../../shop/reach/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";

/** Interval of checks, which run system commands. */
const EVERY_MS = 5 * MINUTE;
/** Unreadable firewall rules are reported only if no other machine has connected for this time. */
const UNREACHED_AFTER_MS = DAY;

/** Of the whole shop. */
const OF_SHOP = { environment: undefined, subject: "" } as const;

interface NetworkDeps {
  reach: ReachService;
  clock: Clock;
}

export function createNetworkSource({ reach, clock }: NetworkDeps): AlertSource<"NETWORK"> {
  return {
    kind: "NETWORK",
    every_ms: EVERY_MS,
    async find(): Promise<Finding<"NETWORK">[]> {
      const listeners = await reach.listListeners();
      return listeners.flatMap(({ url, port, firewall }) => {
        if (!firewall || firewall.state === "OPEN") return [];
        const isBlocked = firewall.state === "BLOCKED";
        if (!isBlocked && clock.running() < UNREACHED_AFTER_MS) return [];
        const cause = isBlocked ? "PORT_BLOCKED" : "PORT_UNREACHED";
        const facts = { name: firewall.name, address: url, reference: firewall.command };
        const of = { environment: undefined, subject: String(port), level: "SOON" } as const;
        return [{ ...of, cause, mark: cause, facts }];
      });
    },
  };
}

const OLD_AFTER_MS = DAY;
/**
 * Running time after which an old backup is reported. After days off, the gateway makes a backup
 * within an hour of its start.
 */
const RUNNING_FIRST_MS = 2 * HOUR;

const BYTES_IN_GB = 1024 ** 3;
const LOW_BYTES = 2 * BYTES_IN_GB;
const VERY_LOW_BYTES = BYTES_IN_GB / 2;
/**
 * Factor between the thresholds for opening and resolving an alert, because free space fluctuates.
 */
const RESOLVE_FACTOR = 1.2;

/** A second place may be away for a day: owners take a backup disk home overnight. */
const AWAY_AFTER_MS = DAY;
/**
 * Delay of the alert for a missing recovery kit, because a new shop's owner may postpone the kit.
 */
const KIT_MISSING_AFTER_MS = 3 * DAY;

interface BackupDeps {
  recovery: Pick<RecoveryDesk, "findKits" | "findReview">;
  backups: BackupService;
  secondPlace: SecondBackupPlace;
  clock: Clock;
}

/**
 * Finds a failed backup, a day of running without backups, and a second place that is full or has
 * lacked backups for a day.
 */
export function createBackupSource({
  backups,
  secondPlace,
  recovery,
  clock,
}: BackupDeps): AlertSource<"BACKUP"> {
  return {
    kind: "BACKUP",
    async find({ now }): Promise<Finding<"BACKUP">[]> {
      const { backups: kept, failure, isElsewhere } = await backups.getState();
      if (isElsewhere) return [];
      const [newest] = kept;
      const isOld = newest === undefined || Math.abs(now - newest.takenAt) > OLD_AFTER_MS;
      const isNews = isOld && clock.running() >= RUNNING_FIRST_MS;
      const ofPlace = [
        ...findPlace(await secondPlace.view(), now),
        ...(await findRecovery(recovery, { oldest: kept.at(-1), now })),
      ];
      if (failure === undefined && !isNews) return ofPlace;
      const since = newest && toTimestamp(newest.takenAt);
      const cause = failure === undefined ? "BACKUP_OLD" : "BACKUP_FAILED";
      const facts = {
        ...(since !== undefined && { since }),
        ...(failure !== undefined && { reason: failure }),
      };
      const level = isNews ? "URGENT" : "SOON";
      return [{ ...OF_SHOP, cause, level, mark: `${cause} ${isNews}`, facts }, ...ofPlace];
    },
  };
}

async function findRecovery(
  recovery: BackupDeps["recovery"],
  { oldest, now }: { oldest: { takenAt: number } | undefined; now: number },
): Promise<Finding<"BACKUP">[]> {
  const common = { environment: undefined, level: "SOON", mark: "", facts: {} } as const;
  const isNew = oldest === undefined || now - oldest.takenAt < KIT_MISSING_AFTER_MS;
  const hasKit = isNew || (await recovery.findKits()).confirmed !== undefined;
  const review = await recovery.findReview();
  return [
    ...(hasKit ? [] : [{ ...common, subject: "kit", cause: "RECOVERY_KIT" } as const]),
    ...(review
      ? [
          {
            ...common,
            subject: "access",
            cause: "RESTORED_ACCESS",
            facts: { since: toTimestamp(review.restoredAt) },
          } as const,
        ]
      : []),
  ];
}

function findPlace(
  place: Awaited<ReturnType<SecondBackupPlace["view"]>>,
  now: number,
): Finding<"BACKUP">[] {
  if (!place?.problem) return [];
  const { dir, missing, problem } = place;
  const isAway = problem.kind === "AWAY";
  if (isAway && now - Date.parse(problem.at) < AWAY_AFTER_MS) return [];
  return [
    {
      environment: undefined,
      subject: "second-place",
      cause: "BACKUP_PLACE",
      level: "SOON",
      mark: problem.kind,
      facts: { name: dir, count: missing, since: problem.at, reason: problem.message },
    },
  ];
}

interface DiskDeps {
  /** Returns the free bytes on the disk that stores the data; undefined if unknown. */
  readFreeBytes(): Promise<number | undefined>;
}

export function createDiskSource({ readFreeBytes }: DiskDeps): AlertSource<"DISK"> {
  return {
    kind: "DISK",
    async find({ open }): Promise<Finding<"DISK">[]> {
      const free = await readFreeBytes();
      const limit = open.length > 0 ? LOW_BYTES * RESOLVE_FACTOR : LOW_BYTES;
      if (free === undefined || free >= limit) return [];
      const level = free < VERY_LOW_BYTES ? "URGENT" : "SOON";
      const gigabytes = Math.floor((free / BYTES_IN_GB) * 10) / 10;
      return [{ ...OF_SHOP, cause: "DISK", level, mark: level, facts: { gigabytes } }];
    },
  };
}

/** Finds a wrong clock, with which nothing can be sold (rules#business-time). */
export function createClockSource({ db }: { db: Db }): AlertSource<"CLOCK"> {
  return {
    kind: "CLOCK",
    async find({ accountId, now }): Promise<Finding<"CLOCK">[]> {
      const fault = await findClockFault(db, accountId, now);
      if (!fault) return [];
      const facts = fault.newest === undefined ? {} : { since: toTimestamp(fault.newest) };
      return [{ ...OF_SHOP, cause: "CLOCK_WRONG", level: "URGENT", mark: "", facts }];
    },
  };
}

/** Finds a newer version, and an update that was reverted because it did not start. */
export function createUpdateSource({ updates }: { updates: UpdateService }): AlertSource<"UPDATE"> {
  return {
    kind: "UPDATE",
    async find(): Promise<Finding<"UPDATE">[]> {
      const found: Finding<"UPDATE">[] = [];
      const of = { environment: undefined, level: "SOON" } as const;
      const { undone } = updates;
      if (undone !== undefined) {
        const facts = { name: undone };
        found.push({ ...of, subject: "undone", cause: "UPDATE_UNDONE", mark: undone, facts });
      }
      const newer = await updates.findNewer();
      if (newer) {
        const facts = { name: newer.version, reference: newer.command };
        const cause = "UPDATE_NEWER";
        found.push({ ...of, subject: "newer", cause, mark: newer.version, facts });
      }
      return found;
    },
  };
}
