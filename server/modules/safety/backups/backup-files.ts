import { readdirSync } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { readSealedBackup } from "./backup-format.ts";

export interface BackupFile {
  file: string;
  name: string;
  takenAt: number;
  sizeBytes: number;
}

export interface ChainedFile extends BackupFile {
  id?: string | undefined;
  /** Id of the copy that an increment follows. */
  follows?: string | undefined;
}

/**
 * `.backup` is a full copy, `.increment` requires its predecessors, and `.db` is an unencrypted
 * database of an early version.
 */
const NAME = /^tillgate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(backup|increment|db)$/;
const INCREMENT = /\.increment$/;
/** Matches names that people and browsers give to copies of a backup. */
const LIKELY_NAME = /tillgate|\.(backup|increment)\b/i;
/**
 * Matches names of databases. This process must not open them as files, because closing them would
 * release SQLite's locks.
 */
const DATABASE_NAME = /\.db\b/i;
const PART = /^\.tillgate-.*\.part/;

/*
 * A full copy is 6 to 8 times smaller than the shop. With one a day, about 12 full copies and the increments of
 * three days are kept: twice the size of the shop.
 */
const KEPT_NEWEST = 24;
const KEPT_NEWEST_MS = 3 * DAY;
const KEPT_DAYS = 7;
const KEPT_MONTHS = 6;

/**
 * Formats a time as `20261120T120000Z`, which sorts by time and is valid in file names on every
 * system.
 */
export function toNameStamp(instant: number): string {
  return toTimestamp(instant).replace(/[-:]/g, "").replace(/\.\d+/, "");
}

export function backupName(takenAt: number, kind: "FULL" | "INCREMENT"): string {
  return `tillgate-${toNameStamp(takenAt)}.${kind === "FULL" ? "backup" : "increment"}`;
}

export function isIncrementName(name: string): boolean {
  return INCREMENT.test(name);
}

export function mayBeBackup(name: string): boolean {
  return LIKELY_NAME.test(name) && !DATABASE_NAME.test(name);
}

/**
 * Returns the time in a backup's name.
 * @returns undefined for other names
 */
export function takenAtOf(name: string): number | undefined {
  const [year, month, day, ...time] = (NAME.exec(name) ?? []).slice(1, -1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return Date.UTC(year, month - 1, day, ...time);
}

export function isUnsignedName(name: string): boolean {
  return name.endsWith(".db");
}

export function partName(id: string): string {
  return `.tillgate-${id}.part`;
}

/**
 * Lists the backups in a directory, newest first, including renamed ones. Empty if the directory
 * does not exist.
 */
export async function listBackupFiles(dir: string): Promise<BackupFile[]> {
  const backups: BackupFile[] = [];
  for (const name of await namesIn(dir)) {
    const file = join(dir, name);
    const takenAt = takenAtOf(name) ?? findTakenAt(file);
    if (takenAt === undefined) continue;
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile()) backups.push({ file, name, takenAt, sizeBytes: found.size });
  }
  return backups.sort((a, b) => b.takenAt - a.takenAt);
}

function findTakenAt(file: string): number | undefined {
  const name = basename(file);
  if (name.startsWith(".") || !mayBeBackup(name)) return undefined;
  try {
    return readSealedBackup(file).header.facts.takenAt;
  } catch {
    return undefined;
  }
}

/**
 * Lists expired backups: all except the following backups and their predecessors.
 * - the newest 24 of the last three days
 * - the last full copy of each of the last 7 days (UTC) that have one
 * - the last full copy of each of the last 6 months (UTC) that have one
 *
 * Backups with a future date are selected separately, so that they do not displace others.
 */
export function listSurplus<Backup extends ChainedFile>(
  backups: readonly Backup[],
  now: number,
): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.takenAt - a.takenAt);
  const kept = new Set([
    ...listKept(newestFirst.filter(({ takenAt }) => takenAt <= now)),
    ...listKept(newestFirst.filter(({ takenAt }) => takenAt > now)),
    // A backup that a person renamed never expires.
    ...newestFirst.filter(({ name }) => takenAtOf(name) === undefined),
  ]);
  const byId = new Map(backups.map((backup) => [backup.id, backup]));
  for (const { follows } of kept) {
    const before = follows === undefined ? undefined : byId.get(follows);
    // The loop also visits the backups that it adds, and so follows each chain to its full copy.
    if (before) kept.add(before);
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}

function listKept<Backup extends ChainedFile>(newestFirst: readonly Backup[]): Backup[] {
  const newest = newestFirst[0]?.takenAt ?? 0;
  const full = newestFirst.filter(({ name }) => !isIncrementName(name));
  const days = lastOfEach(full, (takenAt) => Math.floor(takenAt / DAY));
  const months = lastOfEach(full, (takenAt) => toNameStamp(takenAt).slice(0, "yyyymm".length));
  return [
    ...newestFirst.slice(0, KEPT_NEWEST).filter(({ takenAt }) => takenAt > newest - KEPT_NEWEST_MS),
    ...days.slice(0, KEPT_DAYS),
    ...months.slice(0, KEPT_MONTHS),
  ];
}

function lastOfEach<Backup extends BackupFile>(
  newestFirst: readonly Backup[],
  periodOf: (takenAt: number) => number | string,
): Backup[] {
  const seen = new Set<number | string>();
  return newestFirst.filter(({ takenAt }) => {
    const period = periodOf(takenAt);
    if (seen.has(period)) return false;
    seen.add(period);
    return true;
  });
}

/**
 * Creates the directory for backups if it is in the data directory. A missing directory elsewhere
 * means that its disk is not mounted.
 */
export async function prepareBackupDir(dir: string, dataDir: string): Promise<void> {
  if (dirname(dir) === dataDir) await mkdir(dir, { mode: 0o700, recursive: true });
  else if (!(await stat(dir)).isDirectory()) throw new Error("it is not a directory");
}

/** Deletes files of interrupted copies that are too old to be still in use. */
export async function removeLeftovers(dir: string, now: number): Promise<void> {
  for (const name of await namesIn(dir)) {
    if (!PART.test(name)) continue;
    const file = join(dir, name);
    const found = await stat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > DAY) await rm(file, { recursive: true, force: true });
  }
}

/** Deletes a file, and the files that SQLite may have created for it. */
export async function removePart(file: string): Promise<void> {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(file + suffix, { force: true });
}

export async function createPrivateFile(file: string): Promise<void> {
  await (await open(file, "wx", 0o600)).close();
}

export async function flushFile(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function flushDir(dir: string): Promise<void> {
  const handle = await open(dir, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

/** Matches the name of a database that a restore has prepared as the replacement. */
export const READY_DATABASE = /^tillgate\.db\.restored-(\d{8}T\d{6}Z)$/;

/** Returns whether an interrupted restore must be completed before the database may be opened. */
export function isRestoreUnfinished(dataDir: string): boolean {
  return readdirSync(dataDir).some((name) => READY_DATABASE.test(name));
}
