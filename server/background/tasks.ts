import { sql } from "kysely";
import { type Db, openDatabaseFile } from "../db/database.ts";
import { copyDatabase } from "../db/database-files.ts";
import { type AuditReport, auditBooks } from "../modules/audit/index.ts";
import { type BackupCheck, checkBackup } from "../modules/backups/index.ts";

/**
 * Tasks that take longer the more a shop has sold. Each opens connections of its own, so that it can
 * run on any thread, and its input and output are plain data.
 */
export const TASKS = {
  /** Copies a database that is in use, and checks the copy. */
  async copyAndCheck(files: { source: string; target: string }): Promise<BackupCheck> {
    await copyDatabase(files.source, files.target);
    return checkBackup(files.target, "write");
  },

  /** What SQLite finds wrong with the file of a database; undefined for a whole one. */
  findDamage({ file }: { file: string }): Promise<string | undefined> {
    return reading(file, async (db) => {
      const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
      const finding = rows[0]?.quick_check;
      return finding === "ok" ? undefined : (finding ?? "it cannot be checked");
    });
  },

  /**
   * Whether the books of a database that may be in use are in order, at one moment.
   * @param isOver whether the result is no longer wanted
   */
  audit({ file }: { file: string }, isOver?: () => boolean): Promise<AuditReport> {
    return reading(file, (db) => auditBooks(db, isOver));
  },
};

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;

async function reading<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabaseFile(file, "read");
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
