import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { PROGRAM_DIR } from "../../program.ts";
import { getConnections } from "../connections.ts";
import type { Db } from "../database.ts";

export const SCHEMA_FILE = join(PROGRAM_DIR, "resources/postgres/schema.sql");

/** Held while the schema is looked at and made: of two first starts one waits for the other. */
const SCHEMA_LOCK = 0x7110;

/** Makes all tables in an empty database. */
export async function createSchema<Tables>(tx: Kysely<Tables>): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(readFileSync(SCHEMA_FILE, "utf8")));
}

/** How the schema that is there differs from this version's, by the names of migrations. */
interface SchemaDifference {
  newer: string[];
  lacking: string[];
}

/**
 * Makes the schema where the database is empty, all or nothing.
 * @param known the names of all migrations, which the schema is the outcome of
 * @returns what is different where there is one already; "FOREIGN" where tables of others are there
 */
export async function prepareSchema(
  db: Db,
  known: readonly string[],
  at: number,
): Promise<SchemaDifference | "FOREIGN"> {
  return getConnections(db)
    .writer.transaction()
    .execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(tx);
      const { rows: tables } = await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = current_schema()`.execute(tx);
      const names = new Set(tables.map(({ name }) => name));
      if (names.size === 0) {
        await createSchema(tx);
        await noteMigrations(tx, known, at);
        return { newer: [], lacking: [] };
      }
      if (!names.has("kysely_migration") || !names.has("accounts")) return "FOREIGN";
      const { rows } = await sql<{ name: string }>`
        select name from kysely_migration order by name`.execute(tx);
      const applied = new Set(rows.map(({ name }) => name));
      return {
        newer: [...applied].filter((name) => !known.includes(name)),
        lacking: known.filter((name) => !applied.has(name)),
      };
    });
}

/** As the migrator itself would have, so that it knows them as done. */
async function noteMigrations<Tables>(tx: Kysely<Tables>, known: readonly string[], at: number) {
  await sql`create table kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx);
  const timestamp = new Date(at).toISOString();
  const rows = known.map((name) => sql`(${name}, ${timestamp})`);
  await sql`insert into kysely_migration (name, timestamp) values ${sql.join(rows)}`.execute(tx);
}
