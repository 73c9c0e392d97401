import { type Kysely, sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";

export interface LastMigration {
  version: string;
  backup: string;
  commits: number;
}

/**
 * Records a migration. Runs in the transaction that changes the tables, so that either both are
 * stored or neither.
 */
export async function noteMigration(
  tx: Kysely<unknown>,
  { version, backup, at }: { version: string; backup: string | undefined; at: number },
): Promise<void> {
  const tables = tx as Kysely<Tables>;
  // Adds one for the commit of this transaction.
  const commits = backup === undefined ? null : (await readCount(tables)).commits + 1;
  await tables
    .insertInto("program_versions")
    .values({ kind: "MIGRATED", version, recorded_at: at, backup: backup ?? null, commits })
    .execute();
}

/**
 * Records that a version works.
 * @returns undefined if the same version worked last; otherwise the version that worked before, if
 * known
 */
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

/** @returns undefined if no version has changed the tables of an existing shop */
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

export async function readCount(
  db: Db | Kysely<Tables>,
): Promise<{ commits: number; transactions: number }> {
  const { rows } = await sql<{ commits: number; transactions: number }>`
    select commits, transactions from commit_count`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the commits were not counted");
  return row;
}
