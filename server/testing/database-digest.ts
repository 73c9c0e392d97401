import { sql } from "kysely";
import type { Db } from "../db/database.ts";

/** How often anything was written, which noting the use of a key is too. */
const COUNTS = "commit_count";

/**
 * The rows of every table as text: equal before and after, nothing was left behind. When a key was
 * last used is not a trace of what was asked.
 */
export async function digestDatabase(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
      and name <> ${COUNTS}`.execute(db);
  const digest: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db,
    );
    digest[name] = JSON.stringify(rows.map(({ last_used_at: _use, ...row }) => row));
  }
  return digest;
}
