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

/** Firewalls are asked by commands of the system. */
const EVERY_MS = 5 * MINUTE;
/** A firewall whose rules cannot be seen is no news before other machines had a day to come in. */
const UNREACHED_AFTER_MS = DAY;

interface NetworkDeps {
  reach: ReachService;
  clock: Clock;
}

/** A firewall keeps other machines out of what the gateway opens to them, or seems to. */
export function createNetworkSource({ reach, clock }: NetworkDeps): AlertSource {
  return {
    kind: "NETWORK",
    every_ms: EVERY_MS,
    async find(): Promise<Finding[]> {
      const listeners = await reach.look();
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
/** A start after days off makes a backup within the hour: until then an old one is no news. */
const RUNNING_FIRST_MS = 2 * HOUR;

const BYTES_IN_GB = 1024 ** 3;
const LOW_BYTES = 2 * BYTES_IN_GB;
const VERY_LOW_BYTES = BYTES_IN_GB / 2;
/** Of what it was opened at: files come and go. */
const ARMED_AGAIN = 1.2;

/** A stick that is taken home for the night is no news. */
const AWAY_AFTER_MS = DAY;
/** A shop that was set up today is not reminded of the recovery sheet that its owner postponed. */
const KIT_MISSING_AFTER_MS = 3 * DAY;

interface BackupDeps {
  recovery: Pick<RecoveryDesk, "findKits" | "findReview">;
  backups: BackupService;
  secondPlace: SecondBackupPlace;
  clock: Clock;
}

/**
 * The last backup failed, or none was made for a day although the gateway was running; or the second
 * place for backups lacks some of them, for a day or because it is full.
 */
export function createBackupSource({
  backups,
  secondPlace,
  recovery,
  clock,
}: BackupDeps): AlertSource {
  return {
    kind: "BACKUP",
    async find({ now }): Promise<Finding[]> {
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
      return [
        {
          environment: undefined,
          subject: "",
          cause,
          level: isNews ? "URGENT" : "SOON",
          mark: `${cause} ${isNews}`,
          facts: {
            ...(since !== undefined && { since }),
            ...(failure !== undefined && { reason: failure }),
          },
        },
        ...ofPlace,
      ];
    },
  };
}

/** Backups are made for days and no recovery kit opens them, or access that a restore brought back is not confirmed. */
async function findRecovery(
  recovery: BackupDeps["recovery"],
  { oldest, now }: { oldest: { takenAt: number } | undefined; now: number },
): Promise<Finding[]> {
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

function findPlace(place: Awaited<ReturnType<SecondBackupPlace["view"]>>, now: number): Finding[] {
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
  /** What the disk of the data has left; undefined where nobody knows. */
  readFreeBytes(): Promise<number | undefined>;
}

/** The disk of the data is nearly full. */
export function createDiskSource({ readFreeBytes }: DiskDeps): AlertSource {
  return {
    kind: "DISK",
    async find({ open }): Promise<Finding[]> {
      const free = await readFreeBytes();
      const limit = open.length > 0 ? LOW_BYTES * ARMED_AGAIN : LOW_BYTES;
      if (free === undefined || free >= limit) return [];
      const level = free < VERY_LOW_BYTES ? "URGENT" : "SOON";
      const gigabytes = Math.floor((free / BYTES_IN_GB) * 10) / 10;
      return [
        {
          environment: undefined,
          subject: "",
          cause: "DISK",
          level,
          mark: level,
          facts: { gigabytes },
        },
      ];
    },
  };
}

/** The machine's clock cannot be right: nothing is sold by it (rules#business-time). */
export function createClockSource({ db }: { db: Db }): AlertSource {
  return {
    kind: "CLOCK",
    async find({ accountId, now }): Promise<Finding[]> {
      const fault = await findClockFault(db, accountId, now);
      if (!fault) return [];
      return [
        {
          environment: undefined,
          subject: "",
          cause: "CLOCK_WRONG",
          level: "URGENT",
          mark: "",
          facts: fault.newest === undefined ? {} : { since: toTimestamp(fault.newest) },
        },
      ];
    },
  };
}

/** There is a newer version than this, or one did not start and the one before runs again. */
export function createUpdateSource({ updates }: { updates: UpdateService }): AlertSource {
  return {
    kind: "UPDATE",
    async find(): Promise<Finding[]> {
      const found: Finding[] = [];
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
