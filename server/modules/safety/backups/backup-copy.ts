import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { openDatabaseFile } from "../../../db/database.ts";
import { copyDatabase, databaseFile, placeOnce } from "../../../db/database-files.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import { createSealKey } from "../../../lib/sealer.ts";
import { type BackupCheck, checkDatabaseCopy } from "./backup-check.ts";
import { findKit, readFacts } from "./backup-facts.ts";
import {
  type BackupFile,
  backupName,
  createPrivateFile,
  flushDir,
  listBackupFiles,
  listSurplus,
  partName,
  prepareBackupDir,
  removeLeftovers,
  removePart,
} from "./backup-files.ts";
import { decryptBackup, encryptBackup, readSealedBackup, unlockBackup } from "./backup-format.ts";

/** Copies and checks on a thread of its own. */
export interface CopyThread {
  run(task: "makeBackup", order: BackupOrder): Promise<BackupCheck>;
}

/** A backup to make: the plain copy is written and removed beside the database, never beside the backups. */
export interface BackupOrder {
  dataDir: string;
  /** Path of the plain copy; the file exists and is empty. */
  plain: string;
  /** Path of the backup; the file exists and is empty. */
  target: string;
  takenAt: number;
}

interface Deps {
  clock: Clock;
  ids: Ids;
  background: CopyThread;
  dataDir: string;
  /** Where the backup is put. */
  dir: string;
}

/**
 * Copies the database while it is in use. The copy gets the name of a backup only after it was opened and audited,
 * encrypted, and read back (rules#backup-hourly).
 * @throws why there is none; no part of it is left then.
 */
export async function writeBackup(deps: Deps): Promise<BackupFile> {
  const { clock, ids, background, dataDir, dir } = deps;
  const plain = join(dataDir, partName(ids.uuid()));
  const part = join(dir, partName(ids.uuid()));
  try {
    await prepareBackupDir(dir, dataDir);
    const takenAt = clock.now();
    await createPrivateFile(plain);
    await createPrivateFile(part);
    const order = { dataDir, plain, target: part, takenAt };
    const { problems } = await background.run("makeBackup", order);
    if (problems.length > 0) throw new Error(`the copy is not good: ${problems.join("; ")}`);
    return await publish(part, dir, takenAt);
  } catch (error) {
    await removePart(part).catch(() => undefined);
    throw error;
  } finally {
    await removePart(plain).catch(() => undefined);
  }
}

/** The work of `writeBackup`, on a thread of its own. */
export async function makeBackup(order: BackupOrder): Promise<BackupCheck> {
  const { dataDir, plain, target, takenAt } = order;
  await copyDatabase(databaseFile(dataDir), plain);
  const check = await checkDatabaseCopy(plain, "write");
  if (check.problems.length > 0) return check;
  const key = createSealKey(dataDir, placeOnce);
  const db = openDatabaseFile(plain, "read");
  try {
    const facts = await readFacts(db, takenAt);
    const kit = await findKit(db, key.id);
    encryptBackup({ source: plain, target, facts, key, kit });
  } finally {
    await db.destroy();
  }
  decryptBackup(unlockBackup(readSealedBackup(target), key), undefined);
  return check;
}

/** Removes the backups that need not be kept, and what copies that were cut off have left. */
export async function clearAwayBackups(
  { dir, dataDir }: { dir: string; dataDir: string },
  now: number,
): Promise<void> {
  for (const { file } of listSurplus(await listBackupFiles(dir), now)) await removePart(file);
  await removeLeftovers(dir, now);
  await removeLeftovers(dataDir, now);
}

/** Gives a copy its name: the first free second from when it was taken. */
async function publish(part: string, dir: string, takenAt: number): Promise<BackupFile> {
  for (let at = takenAt; ; at += SECOND) {
    const name = backupName(at);
    const file = join(dir, name);
    if (await stat(file).catch(() => undefined)) continue;
    await rename(part, file);
    await flushDir(dir);
    return { file, name, takenAt, sizeBytes: (await stat(file)).size };
  }
}
