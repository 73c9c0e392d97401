import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { databaseFile } from "../../db/database-files.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { BackupCheck } from "./backup-check.ts";
import {
  type BackupFile,
  backupName,
  createPrivateFile,
  flushDir,
  flushFile,
  listBackupFiles,
  listSurplus,
  partName,
  prepareBackupDir,
  removeLeftovers,
  removePart,
} from "./backup-files.ts";

/** Copies and checks on a thread of its own. */
export interface CopyThread {
  run(task: "copyAndCheck", files: { source: string; target: string }): Promise<BackupCheck>;
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
 * Copies the database while it is in use. The copy gets the name of a backup only after it was opened
 * and audited (rules#backup-hourly).
 * @throws why there is none; no part of it is left then.
 */
export async function writeBackup(deps: Deps): Promise<BackupFile> {
  const { clock, ids, background, dataDir, dir } = deps;
  const part = join(dir, partName(ids.uuid()));
  try {
    await prepareBackupDir(dir, dataDir);
    const takenAt = clock.now();
    await createPrivateFile(part);
    const files = { source: databaseFile(dataDir), target: part };
    const { problems } = await background.run("copyAndCheck", files);
    if (problems.length > 0) throw new Error(`the copy is not good: ${problems.join("; ")}`);
    await flushFile(part);
    return await publish(part, dir, takenAt);
  } catch (error) {
    await removePart(part).catch(() => undefined);
    throw error;
  }
}

/** Removes the backups that need not be kept, and what copies that were cut off have left. */
export async function clearAwayBackups(dir: string, now: number): Promise<void> {
  for (const { file } of listSurplus(await listBackupFiles(dir), now)) await removePart(file);
  await removeLeftovers(dir, now);
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
