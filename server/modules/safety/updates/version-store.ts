import { type Kysely, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";

/** The last time that a version changed the tables, and how far the database was written by that. */
export interface LastMigration {
  version: string;
  /** Path of the backup from before. */
  backup: string;
  commits: number;
}

/**
 * Notes, in the transaction that changes the tables, which version does so and which backup there is from
 * before: whatever moment the power goes at, it is there exactly when the tables are changed.
 */
export async function noteMigration(
  tx: Kysely<unknown>,
  { version, backup, at }: { version: string; backup: string | undefined; at: number },
): Promise<void> {
  const tables = tx as Kysely<Tables>;
  // The commit of this transaction is one more.
  const commits = backup === undefined ? null : (await readCount(tables)).commits + 1;
  await tables
    .insertInto("program_versions")
    .values({ kind: "MIGRATED", version, recorded_at: at, backup: backup ?? null, commits })
    .execute();
}

/** @returns the version that worked before; undefined where this one did, or none is known */
export async function noteStart(
  tx: Tx,
  { version, at }: { version: string; at: number },
): Promise<{ before: string | undefined } | undefined> {
  const before = await findLastStarted(tx);
  if (before === version) return undefined;
  await tx
    .insertInto("program_versions")
    .values({ kind: "STARTED", version, recorded_at: at, backup: null, commits: null })
    .execute();
  return { before };
}

/** The version that worked last. */
export async function findLastStarted(db: Db | Tx): Promise<string | undefined> {
  const row = await db
    .selectFrom("program_versions")
    .select("version")
    .where("kind", "=", "STARTED")
    .orderBy("entry_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.version;
}

/** undefined where no version has changed the tables of a shop that was there before. */
export async function findLastMigration(db: Db): Promise<LastMigration | undefined> {
  const row = await db
    .selectFrom("program_versions")
    .select(["version", "backup", "commits"])
    .where("kind", "=", "MIGRATED")
    .orderBy("entry_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row || row.backup === null || row.commits === null) return undefined;
  return { version: row.version, backup: row.backup, commits: row.commits };
}

/** How many commits a database has had, and how many purchases. */
export async function readCount(
  db: Db | Kysely<Tables>,
): Promise<{ commits: number; transactions: number }> {
  const { rows } = await sql<{ commits: number; transactions: number }>`
    select commits, transactions from commit_count`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the commits were not counted");
  return row;
}
