import type { CheckedForLive } from "../../contract/pos/till-environment.ts";
import type { Db } from "../../db/database.ts";
import { type Clock, DAY, toTimestamp } from "../../lib/clock.ts";
import type { BackupService } from "../backups/index.ts";
import type { StorageService } from "../storage/index.ts";
import type { BackupTrialService } from "./backup-trial.ts";
import { stopping, warning } from "./checked.ts";
import { findNote } from "./notes-store.ts";

interface Deps {
  db: Db;
  clock: Clock;
  backups: BackupService;
  backupTrial: Pick<BackupTrialService, "state">;
  storage: StorageService;
  /** Bytes that the data may still take; undefined where nobody knows. */
  readFreeBytes(): Promise<number | undefined>;
}

const BACKUP_KEPT_MS = 2 * DAY;
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const BYTES_IN_GB = 1024 ** 3;

/** Backups, books and the disk. */
export async function checkSafety(
  { db, clock, backups, backupTrial, storage, readFreeBytes }: Deps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const { backups: kept, failure, isElsewhere } = await backups.getState();
  const [newest] = kept;
  const free = await readFreeBytes();
  const { fault, books } = await storage.readState();
  const tried = await findNote(db, accountId, "BACKUP_RESTORED");
  const made = { at: newest ? toTimestamp(newest.takenAt) : "", reason: failure ?? "" };
  const age = newest ? Math.abs(clock.now() - newest.takenAt) : 0;
  const ofBackups = [
    stopping("BACKUP_MADE", newest !== undefined, made),
    ...(newest
      ? [warning("BACKUP_RECENT", age <= BACKUP_KEPT_MS && failure === undefined, made)]
      : []),
    stopping("BACKUP_RESTORED", tried !== undefined, {
      at: tried ? toTimestamp(tried.at) : "",
      sales: tried?.detail.sales ?? 0,
      state: backupTrial.state?.state === "RUNNING" ? "UNDER_WAY" : "",
    }),
  ];
  return [
    // Who runs the database server answers for them.
    ...(isElsewhere ? [] : ofBackups),
    stopping("BOOKS_SOUND", fault === undefined && books !== "not in order", {
      reason: fault ?? "",
    }),
    ...(free === undefined
      ? []
      : [
          stopping("DISK_HAS_ROOM", free >= LEAST_FREE_BYTES, {
            free: (free / BYTES_IN_GB).toFixed(1),
          }),
        ]),
  ];
}

/** The day that everything is counted by: set, and read by an owner. */
export async function checkTimeZone({ db }: Deps, accountId: string): Promise<CheckedForLive[]> {
  const { time_zone } = await db
    .selectFrom("accounts")
    .select("time_zone")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (time_zone === null) return [stopping("TIME_ZONE_SET", false, { timeZone: "" })];
  const confirmed = await findNote(db, accountId, "TIME_ZONE_CONFIRMED");
  const timeZone = time_zone;
  return [stopping("TIME_ZONE_CONFIRMED", confirmed?.detail.timeZone === timeZone, { timeZone })];
}
