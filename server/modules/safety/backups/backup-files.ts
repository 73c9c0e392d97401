import { readdirSync } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DAY, toTimestamp } from "../../../lib/clock.ts";

/** A backup on the disk, named by the moment it shows. */
export interface BackupFile {
  file: string;
  name: string;
  takenAt: number;
  sizeBytes: number;
}

/** An encrypted backup; `.db` is a plain database of an earlier version. */
const NAME = /^tillgate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(backup|db)$/;
const PART = /^\.tillgate-.*\.part/;

const KEPT_NEWEST = 24;
const KEPT_DAYS = 7;
const KEPT_WEEKS = 4;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY;

/** `20261120T120000Z`: sorts by time, and is a file name on every system. */
export function toNameStamp(instant: number): string {
  return toTimestamp(instant).replace(/[-:]/g, "").replace(/\.\d+/, "");
}

export function backupName(takenAt: number): string {
  return `tillgate-${toNameStamp(takenAt)}.backup`;
}

/** When a backup was taken, by its name; undefined for any other file. */
export function takenAtOf(name: string): number | undefined {
  const [year, month, day, ...time] = (NAME.exec(name) ?? []).slice(1, -1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return Date.UTC(year, month - 1, day, ...time);
}

/** Whether a backup is a plain database of an earlier version, which has no signature. */
export function isUnsignedName(name: string): boolean {
  return name.endsWith(".db");
}

/** A file still being written, beside where it will be. */
export function partName(id: string): string {
  return `.tillgate-${id}.part`;
}

/** Newest first; none where there is no such directory. */
export async function listBackupFiles(dir: string): Promise<BackupFile[]> {
  const backups: BackupFile[] = [];
  for (const name of await namesIn(dir)) {
    const takenAt = takenAtOf(name);
    if (takenAt === undefined) continue;
    const file = join(dir, name);
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) backups.push({ file, name, takenAt, sizeBytes: found.size });
  }
  return backups.sort((a, b) => b.takenAt - a.takenAt);
}

/**
 * Which backups need not be kept: all but the newest, the last of each of the last days and the
 * last of each of the last weeks that have one (UTC, weeks from Monday). Where the clock is wrong,
 * or was, those dated later than now are counted by themselves: neither crowds the other out.
 */
export function listSurplus(backups: readonly BackupFile[], now: number): BackupFile[] {
  const newestFirst = backups.toSorted((a, b) => b.takenAt - a.takenAt);
  const kept = new Set([
    ...listKept(newestFirst.filter(({ takenAt }) => takenAt <= now)),
    ...listKept(newestFirst.filter(({ takenAt }) => takenAt > now)),
  ]);
  return newestFirst.filter((backup) => !kept.has(backup));
}

function listKept(newestFirst: readonly BackupFile[]): BackupFile[] {
  const days = lastOfEach(newestFirst, (takenAt) => Math.floor(takenAt / DAY));
  const weeks = lastOfEach(newestFirst, (takenAt) =>
    Math.floor((takenAt - FIRST_MONDAY_MS) / (7 * DAY)),
  );
  return [
    ...newestFirst.slice(0, KEPT_NEWEST),
    ...days.slice(0, KEPT_DAYS),
    ...weeks.slice(0, KEPT_WEEKS),
  ];
}

function lastOfEach(
  newestFirst: readonly BackupFile[],
  periodOf: (takenAt: number) => number,
): BackupFile[] {
  const seen = new Set<number>();
  return newestFirst.filter(({ takenAt }) => {
    const period = periodOf(takenAt);
    if (seen.has(period)) return false;
    seen.add(period);
    return true;
  });
}

/**
 * Makes ready the directory for backups. Only the one in the data directory is made: another that
 * is missing is a disk that is not there, and must not be written to in its place.
 */
export async function prepareBackupDir(dir: string, dataDir: string): Promise<void> {
  if (dirname(dir) === dataDir) await mkdir(dir, { mode: 0o700, recursive: true });
  else if (!(await stat(dir)).isDirectory()) throw new Error("it is not a directory");
}

/** Removes what a copy that was cut off has left, once nobody can be writing it any more. */
export async function removeLeftovers(dir: string, now: number): Promise<void> {
  for (const name of await namesIn(dir)) {
    if (!PART.test(name)) continue;
    const file = join(dir, name);
    const found = await stat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > DAY) await rm(file, { force: true });
  }
}

/** Takes away a file that was being written, and what SQLite may have put beside it. */
export async function removePart(file: string): Promise<void> {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(file + suffix, { force: true });
}

/** Makes an empty file that only its owner can read. */
export async function createPrivateFile(file: string): Promise<void> {
  await (await open(file, "wx", 0o600)).close();
}

/** Waits until a file is on the disk. */
export async function flushFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Waits until the names in a directory are on the disk, where the system can do that. */
export async function flushDir(dir: string): Promise<void> {
  const handle = await open(dir, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

/** A database that a restore has prepared, and when: it takes the place of the other one. */
export const READY_DATABASE = /^tillgate\.db\.restored-(\d{8}T\d{6}Z)$/;

/** Whether a restore was begun that has to be completed before the database may be opened. */
export function isRestoreUnfinished(dataDir: string): boolean {
  return readdirSync(dataDir).some((name) => READY_DATABASE.test(name));
}
