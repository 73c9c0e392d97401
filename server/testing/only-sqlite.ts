import { inject, type TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    onlySqliteBecause?: string;
  }
}

export const READS_PLANS = "it reads SQLite's plans of queries";
export const COUNTS_STATEMENTS = "it counts the statements that SQLite is asked";
export const LOSES_THE_KEY = "without its key file a process does not start on a server";
export const LETS_A_DAY_PASS = "it lets a day pass, which takes minutes on a server";
export const MAKES_BACKUPS = "backups are files of SQLite";
export const SERVER_KEEPS =
  "a server itself has checksums of its pages and keeps what it has committed";
export const TOUCHES_THE_FILE = "it changes or copies the database file";

export function isOnPostgres(): boolean {
  return inject("firstDay").database !== undefined;
}

/**
 * Returns options for a test of behaviour that only SQLite has. The summary of a run on PostgreSQL
 * states the reason.
 */
export function onlySqlite(because: string): TestOptions {
  return { skip: isOnPostgres(), meta: { onlySqliteBecause: because } };
}
