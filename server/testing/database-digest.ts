import { type RawBuilder, sql } from "kysely";
import { CHECKED_TABLES, UNCHECKED } from "../db/checksums.ts";
import { engineOf } from "../db/compiled-query.ts";
import type { Db } from "../db/database.ts";

/**
 * Tables that the digest omits: every write changes `commit_count`, and `shared_memory` has
 * counters such as a key's rate.
 */
const NO_TRACES: readonly string[] = ["commit_count", "shared_memory"];

/**
 * Columns that the digest omits on SQLite, because they hold ten megabytes of catalog text. The
 * row's checksum covers them.
 */
const IN_CHECKSUM: Readonly<Record<string, string>> = {
  offers: "offer_json",
  brands: "detail_json",
  promos: "promo_json",
};

/** Returns the rows of every table as text, to compare two states of the database. */
export async function digestDatabase(db: Db): Promise<Record<string, string>> {
  const digest: Record<string, string> = {};
  for (const name of [...CHECKED_TABLES, ...Object.keys(UNCHECKED)]) {
    if (NO_TRACES.includes(name)) continue;
    // Sorts the rows, because PostgreSQL moves a row on every update.
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
