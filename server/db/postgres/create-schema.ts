import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { systemClock } from "../../lib/clock.ts";
import { NO_ACCOUNT } from "../account-lock.ts";
import { type Connections, getConnections } from "../connections.ts";
import type { Db, Tx } from "../database.ts";
import { isEarlier } from "../migrations/index.ts";

/**
 * Advisory lock, held while the schema is checked and created, so that only one of two simultaneous
 * starts creates it.
 */
const SCHEMA_LOCK = 0x7110;

export type Migrations = Readonly<Record<string, Migration>>;

/** Difference between the database's and this version's schema, as names of migrations. */
interface SchemaDifference {
  newer: string[];
  pending: string[];
}

/** "FOREIGN": the tables are not Tillgate's. "EARLIER": the schema is from before the baseline. */
type Unusable = "FOREIGN" | "EARLIER";

/** Thrown if a migration failed; the database is unchanged. */
export class MigrationFailed extends Error {}

/**
 * Thrown if other processes used a migration's tables in every attempt; the database is unchanged.
 */
export class TablesInUse extends Error {}

/**
 * Maximum time that a migration waits for a table. It is below PostgreSQL's
 * deadlock timeout of one second.
 */
const TABLE_WAIT_MS = 500;
/** Pause between attempts, in which transactions that waited for the tables run. */
const BETWEEN_TRIES_MS = 1_000;
const TRIES = 60;

/** PostgreSQL's codes for a lock timeout and for a deadlock. */
const IN_USE: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

interface Making {
  at: number;
  /** Maximum number of attempts while other processes use the tables. */
  tries?: number;
  /** Writes more after a database was migrated, in the same transaction. */
  atEnd?(tx: Kysely<unknown>): Promise<void>;
}

/**
 * Creates the schema in an empty database, or migrates an earlier schema, completely or not at all
 * (rules#backup-before-migration).
 * @returns the reason of a refusal; otherwise the names of the migrations that this version does
 * not know
 * @throws MigrationFailed, TablesInUse
 */
export async function prepareSchema(
  db: Db,
  migrations: Migrations,
  making: Making,
): Promise<Unusable | string[]> {
  const { tries = TRIES } = making;
  for (let tried = 1; ; tried++) {
    try {
      return await tryToPrepare(db, migrations, making);
    } catch (error) {
      if (!(error instanceof TablesInUse) || tried >= tries) throw error;
    }
    await new Promise<void>((resolve) => {
      systemClock.wakeAt(systemClock.now() + BETWEEN_TRIES_MS, resolve);
    });
  }
}

async function tryToPrepare(
  db: Db,
  migrations: Migrations,
  making: Making,
): Promise<Unusable | string[]> {
  const connections = getConnections(db);
  const [writer] = connections.writers;
  return writer.db.transaction().execute(async (tx) => {
    if (await makeSchema(tx, migrations, making)) return [];
    const found = await compareSchema(tx, migrations);
    if (typeof found === "string") return found;
    if (found.newer.length > 0 || found.pending.length === 0) return found.newer;
    try {
      await stopWriters(connections, tx);
      await carryOut(tx, migrations, { names: found.pending, at: making.at });
      await making.atEnd?.(tx as unknown as Kysely<unknown>);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (IN_USE.has((error as { code?: unknown }).code)) throw new TablesInUse(reason);
      throw new MigrationFailed(reason, { cause: error });
    }
    return [];
  });
}

/**
 * Waits for the current writers and blocks new ones. A writer locks an account before it uses any
 * other table (docs/decisions/0076). The timeout is short, because a deadlock is possible: a reader
 * may use a table that the migration needs, and wait for a table that the migration has locked.
 */
async function stopWriters(connections: Connections, tx: Tx): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(TABLE_WAIT_MS)}`.execute(tx);
  await connections.prepareTransaction(tx, NO_ACCOUNT);
  await sql`lock table accounts in access exclusive mode`.execute(tx);
}

/**
 * Creates the schema if the database has no tables.
 * @returns whether the schema was created
 */
export async function makeSchema(tx: Tx, migrations: Migrations, { at }: Making): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(tx);
  if ((await listTables(tx)).size > 0) return false;
  await sql`create table kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx);
  await carryOut(tx, migrations, { names: Object.keys(migrations).toSorted(), at });
  return true;
}

export async function compareSchema(
  db: Db | Tx,
  migrations: Migrations,
): Promise<SchemaDifference | Unusable> {
  const names = await listTables(db);
  if (!names.has("kysely_migration") || !names.has("accounts")) return "FOREIGN";
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  if (isEarlier(applied)) return "EARLIER";
  const missing = Object.keys(migrations).filter((name) => !applied.has(name));
  return {
    newer: [...applied].filter((name) => !(name in migrations)),
    pending: missing.toSorted(),
  };
}

async function listTables(db: Db | Tx): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Runs migrations in the order of their names, as SQLite's migrator does. */
async function carryOut(
  tx: Tx,
  migrations: Migrations,
  { names, at }: { names: readonly string[]; at: number },
): Promise<void> {
  for (const name of names) await migrations[name]?.up(tx);
  await noteMigrations(tx, names, at);
}

/** Records migrations in the form of SQLite's migrator. */
async function noteMigrations(tx: Tx, names: readonly string[], at: number): Promise<void> {
  if (names.length === 0) return;
  const timestamp = new Date(at).toISOString();
  const rows = names.map((name) => sql`(${name}, ${timestamp})`);
  await sql`insert into kysely_migration (name, timestamp) values ${sql.join(rows)}`.execute(tx);
}
