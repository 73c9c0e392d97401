import { sql } from "kysely";
import { CHECKED_TABLES, UNCHECKED } from "../db/checksums.ts";
import type { Db } from "../db/database.ts";

/**
 * How often anything was written, which noting the use of a key is too; and what processes keep in rows that one process
 * has in memory, such as the rate of a key.
 */
const NO_TRACES: readonly string[] = ["commit_count", "shared_memory"];

/**
 * The rows of every table as text: equal before and after, nothing was left behind. When a key was
 * last used is not a trace of what was asked.
 */
export async function digestDatabase(db: Db): Promise<Record<string, string>> {
  const digest: Record<string, string> = {};
  for (const name of [...CHECKED_TABLES, ...Object.keys(UNCHECKED)]) {
    if (NO_TRACES.includes(name)) continue;
    // PostgreSQL moves a row that is changed, even to what it was.
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(name)} order by 1, 2`.execute(db);
    digest[name] = JSON.stringify(rows.map(({ last_used_at: _use, ...row }) => row));
  }
  return digest;
}
