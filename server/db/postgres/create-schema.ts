import { CompiledQuery, type Kysely, sql } from "kysely";
import { getConnections } from "../connections.ts";
import type { Db, Tx } from "../database.ts";

/** Held while the schema is looked at and made: of two first starts one waits for the other. */
const SCHEMA_LOCK = 0x7110;

/** How a database of this version looks. */
export interface Schema {
  /** The statements that make all its tables. */
  readonly statements: string;
  /** The names of all migrations, of which it is the outcome. */
  readonly migrations: readonly string[];
}

/** How the schema that is there differs from this version's, by the names of migrations. */
interface SchemaDifference {
  newer: string[];
  lacking: string[];
}

/**
 * Makes the schema where the database is empty, all or nothing.
 * @returns what is different where there is one already; "FOREIGN" where tables of others are there
 */
export async function prepareSchema(
  db: Db,
  schema: Schema,
  at: number,
): Promise<SchemaDifference | "FOREIGN"> {
  return getConnections(db)
    .writer.transaction()
    .execute(async (tx) => {
      if (await makeSchema(tx, schema, at)) return { newer: [], lacking: [] };
      return compareSchema(tx, schema.migrations);
    });
}

/**
 * Makes the schema where the database has no table at all.
 * @returns whether it had none
 */
export async function makeSchema(
  tx: Tx,
  { statements, migrations }: Schema,
  at: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(tx);
  if ((await listTables(tx)).size > 0) return false;
  await tx.executeQuery(CompiledQuery.raw(statements));
  await noteMigrations(tx, migrations, at);
  return true;
}

/** @returns "FOREIGN" for a database that is not Tillgate's, also where it is empty */
export async function compareSchema(
  db: Db | Tx,
  migrations: readonly string[],
): Promise<SchemaDifference | "FOREIGN"> {
  const names = await listTables(db);
  if (!names.has("kysely_migration") || !names.has("accounts")) return "FOREIGN";
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return {
    newer: [...applied].filter((name) => !migrations.includes(name)),
    lacking: migrations.filter((name) => !applied.has(name)),
  };
}

async function listTables(db: Db | Tx): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** As the migrator itself would have, so that it knows them as done. */
async function noteMigrations<Tables>(tx: Kysely<Tables>, known: readonly string[], at: number) {
  await sql`create table kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx);
  const timestamp = new Date(at).toISOString();
  const rows = known.map((name) => sql`(${name}, ${timestamp})`);
  await sql`insert into kysely_migration (name, timestamp) values ${sql.join(rows)}`.execute(tx);
}
