import { existsSync } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { openDatabaseFile } from "../../../db/database.ts";
import { copyDatabase, databaseFile, placeOnce } from "../../../db/database-files.ts";
import { SECOND } from "../../../lib/clock.ts";
import { createSealKey } from "../../../lib/sealer.ts";
import { describeFileFault } from "../../../lib/storage-fault.ts";
import type { Base } from "../../module.ts";
import { pageHashesFile, planCopy, readLinks, writeCopy } from "./backup-chain.ts";
import { checkDatabaseCopy } from "./backup-check.ts";
import { listKits, readFacts } from "./backup-facts.ts";
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

export interface CopyThread {
  run(task: "makeBackup", order: BackupOrder): Promise<MadeBackup>;
}

/**
 * A requested backup. The temporary unencrypted copy stays in the folder of the database, never in
 * the folder of the backups.
 */
export interface BackupOrder {
  dataDir: string;
  dir: string;
  /** Path of an empty file for the unencrypted copy. */
  plain: string;
  /** Path of an empty file for the backup, before it gets its final name. */
  target: string;
  takenAt: number;
  isFull: boolean;
}

interface WrittenBackup extends BackupFile {
  notCleared?: string;
}

export interface MadeBackup {
  problems: string[];
  backup?: WrittenBackup;
}

interface Deps extends Pick<Base, "clock" | "ids"> {
  background: CopyThread;
  dataDir: string;
  dir: string;
  isFull?: boolean;
}

/**
 * Copies the database while it is in use, and deletes expired backups. The copy gets the name of a
 * backup only after it was checked, encrypted and read back (rules#backup-hourly).
 * @throws Error with the reason; no files remain
 */
export async function writeBackup(deps: Deps): Promise<WrittenBackup> {
  const { clock, ids, background, dataDir, dir, isFull = false } = deps;
  const plain = join(dataDir, partName(ids.uuid()));
  const target = join(dir, partName(ids.uuid()));
  try {
    await prepareBackupDir(dir, dataDir);
    const takenAt = clock.now();
    await createPrivateFile(plain);
    await createPrivateFile(target);
    const order = { dataDir, dir, plain, target, takenAt, isFull };
    const { problems, backup } = await background.run("makeBackup", order);
    if (backup) return backup;
    throw new Error(`the copy is not good: ${problems.join("; ")}`);
  } catch (error) {
    await removePart(target).catch(() => undefined);
    throw error;
  } finally {
    await removePart(plain).catch(() => undefined);
    await removePart(hashesPart(plain)).catch(() => undefined);
  }
}

function hashesPart(plain: string): string {
  return `${plain}.pages`;
}

/** The part of `writeBackup` that runs on a worker thread. */
export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const { dataDir, dir, plain, target, takenAt, isFull } = order;
  await copyDatabase(databaseFile(dataDir), plain);
  const shape = await checkDatabaseCopy(plain, "write", "SCHEMA");
  if (shape.problems.length > 0) return shape;
  const key = createSealKey(dataDir, placeOnce);
  const { facts, kits } = await readAbout(plain, takenAt, key.id);
  const copy = planCopy(plain, { dir, dataDir, facts, key, isFull });
  // Audits the books only for the daily full copy, because the audit reads every sale.
  const { problems } = copy.increment ? shape : await checkDatabaseCopy(plain, "read", "BOOKS");
  if (problems.length > 0) return { problems };
  writeCopy(copy, { target, hashesTo: hashesPart(plain), kits });
  const kind = copy.increment ? "INCREMENT" : "FULL";
  const backup = await publish(target, dir, { takenAt, kind });
  // If the process ends before this rename, the next increment follows the previous copy.
  await rename(hashesPart(plain), pageHashesFile(dataDir));
  try {
    await clearAwayBackups({ dir, dataDir }, takenAt);
    return { problems, backup };
  } catch (error) {
    return { problems, backup: { ...backup, notCleared: describeFileFault(error) } };
  }
}

async function readAbout(plain: string, takenAt: number, keyId: string) {
  const db = openDatabaseFile(plain, "read");
  try {
    return { facts: await readFacts(db, takenAt), kits: await listKits(db, keyId) };
  } finally {
    await db.destroy();
  }
}

async function clearAwayBackups(
  { dir, dataDir }: { dir: string; dataDir: string },
  now: number,
): Promise<void> {
  const backups = (await listBackupFiles(dir)).map((backup) => ({
    ...backup,
    ...readLinks(backup.file),
  }));
  for (const { file } of listSurplus(backups, now)) await removePart(file);
  await removeLeftovers(dir, now);
  await removeLeftovers(dataDir, now);
}

async function publish(
  part: string,
  dir: string,
  { takenAt, kind }: { takenAt: number; kind: "FULL" | "INCREMENT" },
): Promise<BackupFile> {
  for (let at = takenAt; ; at += SECOND) {
    const names = [backupName(at, "FULL"), backupName(at, "INCREMENT")];
    if (names.some((one) => existsSync(join(dir, one)))) continue;
    const name = backupName(at, kind);
    const file = join(dir, name);
    await rename(part, file);
    await flushDir(dir);
    return { file, name, takenAt, sizeBytes: (await stat(file)).size };
  }
}
