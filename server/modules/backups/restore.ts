import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { AuditAction } from "../../contract/pos/audit-trail.ts";
import { Problem } from "../../contract/problem.ts";
import { EVERY_ACCOUNT } from "../../db/account-lock.ts";
import { openDatabaseFile } from "../../db/database.ts";
import { copyDatabase, databaseFile, lockDataDir } from "../../db/database-files.ts";
import { migrate } from "../../db/migrate.ts";
import { createTransactor, type Transactor } from "../../db/transactor.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import { findSealKeyId } from "../../lib/sealer.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { doubtUnfinished } from "../purchases/index.ts";
import { checkBackup } from "./backup-check.ts";
import {
  createPrivateFile,
  flushDir,
  flushFile,
  removePart,
  takenAtOf,
  toNameStamp,
} from "./backup-files.ts";
import { findUnreadable, type Unreadable } from "./sealed-with.ts";

export interface Restored {
  /** When the backup was taken; what came after is not in the books. */
  takenAt: number;
  /** Purchases whose outcome the provider will be asked for. */
  unfinished: number;
  /** Where the database that was there is kept; undefined where there was none. */
  kept: string | undefined;
  /** What of it cannot be used without a key that is not in the data directory. */
  unreadable: Unreadable;
}

interface Request {
  dataDir: string;
  accountId: string;
  /** Path of the backup. */
  file: string;
  clock: Clock;
  /** What the audit trail says of it, beside the moment; that a backup was restored where it is left out. */
  audit?: { action: AuditAction; subject: string };
}

const KEPT = "before-restore-";
const BUILDING = "tillgate.db.building";
/** Whole and verified; the stamp names the directory for what it replaces. */
const READY = /^tillgate\.db\.restored-(\d{8}T\d{6}Z)$/;

/**
 * Puts a backup in the place of the database (rules#backup-restore). Nothing is touched until the copy
 * is whole, verified and ready; from then on `finishRestore` completes it, however often it is
 * interrupted.
 * @throws Problem in words; the database is then as it was.
 */
export async function restoreBackup(request: Request): Promise<Restored> {
  const { dataDir, file, clock } = request;
  const lock = lockDataDir(dataDir);
  if (!lock) {
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      `Tillgate is running on ${dataDir}: stop it, then restore. Nothing was done.`,
    );
  }
  try {
    await finishRestore(dataDir);
    const taken = takenAtOf(basename(file)) ?? Math.floor((await statOf(file)).mtimeMs);
    await refuseBroken(file, "read");
    const building = join(dataDir, BUILDING);
    await removePart(building);
    try {
      await createPrivateFile(building);
      await copyDatabase(file, building);
      const { unfinished, unreadable } = await prepare(building, request, taken);
      await refuseBroken(building, "write");
      await flushFile(building);
      const stamp = freeStamp(dataDir, clock.now());
      renameSync(building, join(dataDir, `tillgate.db.restored-${stamp}`));
      await flushDir(dataDir);
      const kept = await finishRestore(dataDir);
      return { takenAt: taken, unfinished, kept, unreadable };
    } finally {
      await removePart(building);
    }
  } finally {
    lock.release();
  }
}

/** Whether a restore was begun that has to be completed before the database may be opened. */
export function isRestoreUnfinished(dataDir: string): boolean {
  return readdirSync(dataDir).some((name) => READY.test(name));
}

/**
 * Completes a restore that was interrupted, under the lock of the data directory: moves the old
 * database aside, then the new one in its place. Every step may be the last one before a power cut.
 * @returns where the old database is kept
 */
export async function finishRestore(dataDir: string): Promise<string | undefined> {
  let kept: string | undefined;
  for (const name of readdirSync(dataDir).toSorted()) {
    const stamp = READY.exec(name)?.[1];
    if (stamp === undefined) continue;
    const target = databaseFile(dataDir);
    const aside = join(dataDir, `${KEPT}${stamp}`);
    // The log of writes goes with its database, and the database last: without it nothing opens.
    for (const suffix of ["-wal", "-shm", "-commits", ""]) {
      const moved = join(aside, `${basename(target)}${suffix}`);
      if (!existsSync(target + suffix) || existsSync(moved)) continue;
      mkdirSync(aside, { mode: 0o700, recursive: true });
      renameSync(target + suffix, moved);
      await flushDir(aside);
      await flushDir(dataDir);
    }
    if (existsSync(aside)) kept = aside;
    renameSync(join(dataDir, name), target);
    await flushDir(dataDir);
  }
  return kept;
}

/**
 * Doubts what a database that was restored by other means says of open purchases.
 * @returns how many there are
 */
export async function noteRestored({
  transactor,
  accountId,
  clock,
}: {
  transactor: Transactor;
  accountId: string;
  clock: Clock;
}): Promise<number> {
  return transactor.transact(EVERY_ACCOUNT, async (tx) => {
    const detail = { unfinished: await doubtUnfinished(tx) };
    // The person who was signed in then need not be the one who is at the till now.
    await tx.deleteFrom("staff_sessions").execute();
    await recordAudit(tx, {
      accountId,
      staffId: undefined,
      action: "backup.restore",
      subject: "database",
      detail,
      at: clock.now(),
    });
    return detail.unfinished;
  });
}

/** The first free second from now on: what an earlier restore kept is never overwritten. */
function freeStamp(dataDir: string, now: number): string {
  let at = now;
  while (existsSync(join(dataDir, `${KEPT}${toNameStamp(at)}`))) at += SECOND;
  return toNameStamp(at);
}

async function refuseBroken(file: string, mode: "read" | "write"): Promise<void> {
  const { problems } = await checkBackup(file, mode);
  if (problems.length === 0) return;
  throw new Problem(
    "INVALID_REQUEST",
    `The backup ${basename(file)} is not good: ${problems.join("; ")}. Nothing was done.`,
  );
}

async function statOf(file: string) {
  try {
    return await stat(file);
  } catch {
    throw new Problem("NOT_FOUND", `There is no backup ${file}.`);
  }
}

/** Brings the copy up to date and marks what cannot be relied on in it. */
async function prepare(
  copy: string,
  request: Request,
  takenAt: number,
): Promise<Pick<Restored, "unfinished" | "unreadable">> {
  const { accountId, clock, file, dataDir } = request;
  const db = openDatabaseFile(copy, "write");
  try {
    await migrate(db);
    const unreadable = await findUnreadable(db, findSealKeyId(dataDir));
    return await createTransactor(db).transact(EVERY_ACCOUNT, async (tx) => {
      const unfinished = await doubtUnfinished(tx);
      // The person who was signed in then need not be the one who is at the till now.
      await tx.deleteFrom("staff_sessions").execute();
      await recordAudit(tx, {
        accountId,
        staffId: undefined,
        ...(request.audit ?? { action: "backup.restore", subject: basename(file) }),
        detail: { takenAt, unfinished },
        at: clock.now(),
      });
      return { unfinished, unreadable };
    });
  } finally {
    await db.destroy();
  }
}
