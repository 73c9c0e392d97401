import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import SQLite from "better-sqlite3";

export const BUSY_TIMEOUT_MS = 10_000;

export function databaseFile(dataDir: string): string {
  return join(dataDir, "tillgate.db");
}

/**
 * Makes a database file readable only by its owner, because it contains hashes of PINs and keys.
 * SQLite gives its other files the same mode. A file that already has the mode is not touched,
 * because the record of a clean shutdown contains the file's change time (`clean-end.ts`).
 */
export function keepPrivate(file: string): void {
  if ((statSync(file).mode & 0o777) !== 0o600) chmodSync(file, 0o600);
}

export function databaseExists(dataDir: string): boolean {
  return existsSync(databaseFile(dataDir));
}

/**
 * Creates a database without tables, under a temporary name until it is complete. An empty file
 * under the final name is therefore never a new database.
 */
export function createDatabase(dataDir: string): void {
  const file = databaseFile(dataDir);
  const fresh = `${file}.${randomUUID()}.new`;
  const sqlite = new SQLite(fresh);
  try {
    chmodSync(fresh, 0o600);
    sqlite.pragma("journal_mode = WAL");
    sqlite.close();
    placeOnce(fresh, file);
  } catch (error) {
    sqlite.close();
    // Another process has created the database in the meantime.
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * Gives a finished file its final name, unless a file with that name exists. The file may also keep
 * the draft's name. On a disk without hard links, such as exFAT, the file is renamed under a lock
 * that ends with the process.
 * @param link replaced by a test
 * @throws an error with code EEXIST if a file with the final name exists
 */
export function placeOnce(draft: string, file: string, link = linkSync): void {
  try {
    link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    renameOnce(draft, file);
  }
}

function renameOnce(draft: string, file: string): void {
  const lock = new SQLite(`${file}.lock`, { timeout: BUSY_TIMEOUT_MS });
  try {
    lock.exec("begin exclusive");
    if (existsSync(file)) {
      throw Object.assign(new Error(`${file} is there already`), { code: "EEXIST" });
    }
    renameSync(draft, file);
  } finally {
    lock.close();
  }
}

/** Pages per step. A step takes a few milliseconds, and requests are answered between steps. */
const PAGES_AT_ONCE = 256;

/**
 * Copies a database as it is at this moment, while others use it. One snapshot is held throughout,
 * so that a write does not restart the copy. Each step is flushed to the disk; otherwise the commit
 * of a sale would wait until the whole copy is written.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const sqlite = new SQLite(source, {
    fileMustExist: true,
    readonly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  const copy = openSync(target, "a", 0o600);
  try {
    sqlite.exec("begin; select count(*) from sqlite_schema");
    await sqlite.backup(target, {
      progress() {
        fdatasyncSync(copy);
        return PAGES_AT_ONCE;
      },
    });
  } finally {
    closeSync(copy);
    sqlite.close();
  }
}

/**
 * Locks the data directory for one gateway, by an operating-system lock, which always ends with the
 * process.
 * @returns undefined if another gateway holds the lock
 */
export function lockDataDir(dataDir: string): { release(): void } | undefined {
  makeDataDir(dataDir);
  const lock = new SQLite(join(dataDir, "gateway.lock"), { timeout: 0 });
  try {
    lock.pragma("journal_mode = DELETE");
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}

/**
 * Creates the directory, accessible only to its owner. Node's recursive
 * `mkdir` hangs below `/proc`.
 */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  makeDataDir(dirname(dataDir));
  mkdirSync(dataDir, { mode: 0o700 });
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
