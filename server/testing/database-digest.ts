import { type RawBuilder, sql } from "kysely";
import { CHECKED_TABLES, UNCHECKED } from "../db/checksums.ts";
import { engineOf } from "../db/compiled-query.ts";
import type { Db } from "../db/database.ts";

/**
 * Tables that the digest omits. Every write changes the first; the second contains data that a
 * single process keeps in memory, such as a key's rate.
 */
const NO_TRACES: readonly string[] = ["commit_count", "shared_memory"];

/**
 * Columns that the digest omits on SQLite: the checksum of the row covers them, and together they
 * hold ten megabytes of catalog text.
 */
const IN_CHECKSUM: Readonly<Record<string, string>> = {
  offers: "offer_json",
  brands: "detail_json",
  promos: "promo_json",
};

/**
 * Returns the rows of every table as text, for comparison before and after a test. Excludes the
 * last use of a key.
 */
export async function digestDatabase(db: Db): Promise<Record<string, string>> {
  const digest: Record<string, string> = {};
  for (const name of [...CHECKED_TABLES, ...Object.keys(UNCHECKED)]) {
    if (NO_TRACES.includes(name)) continue;
    // Sorted, because PostgreSQL moves a row on every update, even without a change.
    const { rows } = await sql<Record<string, unknown>>`
      select ${await columnsOf(name, db)} from ${sql.table(name)} order by 1, 2`.execute(db);
    digest[name] = JSON.stringify(rows.map(({ last_used_at: _use, ...row }) => row));
  }
  return digest;
}

async function columnsOf(table: string, db: Db): Promise<RawBuilder<unknown>> {
  const left = IN_CHECKSUM[table];
  if (left === undefined || engineOf(db) === "postgres") return sql`*`;
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where name <> ${left}`.execute(db);
  return sql.join(rows.map(({ name }) => sql.ref(name)));
}
