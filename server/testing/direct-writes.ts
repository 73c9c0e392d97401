import { CompiledQuery } from "kysely";
import { getConnections } from "../db/connections.ts";
import type { Db } from "../db/database.ts";
import type { Tables } from "../db/tables.ts";

/**
 * The connection of a database that writes, for a test that changes what no program changes: past
 * every transaction, rule and listener.
 */
export function writerOf(db: Db): Db {
  return getConnections(db).writers[0].db;
}

/** People of a test have chosen the PIN that they were given: choosing has tests of its own. */
export async function keepGivenPins(db: Db): Promise<void> {
  await writerOf(db).updateTable("staff").set({ pin_given_at: null }).execute();
}

/** Ends every connection as a kill does: in the middle of whatever is being written. */
export function cutConnections(db: Db): void {
  for (const connection of getConnections(db).sqlite) connection.close();
}

/** From now on no row can be added to a table. */
export async function refuseRowsOf(db: Db, table: keyof Tables): Promise<void> {
  const { engine } = getConnections(db);
  const statements =
    engine === "sqlite"
      ? `create trigger refused before insert on ${table} begin select raise(abort, 'refused'); end`
      : `create function refused() returns trigger language plpgsql as
           $$ begin raise exception 'refused'; end $$;
         create trigger refused before insert on ${table} for each row execute function refused()`;
  await writerOf(db).executeQuery(CompiledQuery.raw(statements));
}

/** And now they can again. */
export async function takeRowsOf(db: Db): Promise<void> {
  const { engine } = getConnections(db);
  const statement = engine === "sqlite" ? "drop trigger refused" : "drop function refused cascade";
  await writerOf(db).executeQuery(CompiledQuery.raw(statement));
}

/** Runs a statement on every connection that writes, at a moment when none of them is in a transaction. */
async function onEveryWriter(
  writers: readonly { db: Db }[],
  statement: string,
  held: Db[] = [],
): Promise<void> {
  const [next, ...others] = writers;
  if (next === undefined) {
    await Promise.all(held.map((db) => db.executeQuery(CompiledQuery.raw(statement))));
    return;
  }
  await next.db.connection().execute((db) => onEveryWriter(others, statement, [...held, db]));
}

/**
 * Ends or gives back what a disk mounted read-only takes away: from then on nothing can be written. All connections
 * change at one moment, as they do where a disk changes.
 */
export async function setWritable(db: Db, isWritable: boolean): Promise<void> {
  const { engine, writers } = getConnections(db);
  const statement =
    engine === "sqlite"
      ? `pragma query_only = ${isWritable ? "off" : "on"}`
      : `set default_transaction_read_only = ${isWritable ? "off" : "on"}`;
  await onEveryWriter(writers, statement);
}

/**
 * Lets the clock of the database's server go on beyond the end of every claim, which no clock of a test moves
 * (docs/decisions/0080). On a file nothing is claimed.
 */
export async function letClaimsEnd(db: Db): Promise<void> {
  for (const table of ["purchases", "webhook_deliveries"] as const) {
    const ended = writerOf(db).updateTable(table).set({ sent_until: 0 });
    await ended.where("sent_until", "is not", null).execute();
  }
}

/** PostgreSQL's own words for a disk that is full (its state 53100), for whatever adds or changes rows. */
const FULL_ON_POSTGRES = `
  create function disk_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create trigger disk_full before insert or update on %I
        for each statement execute function disk_full()', name);
    end loop;
  end $$`;

/** What a full disk is called where the database is. */
export function diskFullIn(db: Db): string {
  const { engine } = getConnections(db);
  return engine === "sqlite" ? "the disk is full" : "the disk of the database server is full";
}

/** Fills the disk, or makes room again. SQLite meets the same error at a limit of pages as at the end of a disk. */
export async function setDiskFull(db: Db, isFull: boolean): Promise<void> {
  const { engine } = getConnections(db);
  const onPostgres = isFull ? FULL_ON_POSTGRES : "drop function disk_full cascade";
  const onSqlite = `pragma max_page_count = ${isFull ? 1 : 1_000_000}`;
  await writerOf(db).executeQuery(CompiledQuery.raw(engine === "sqlite" ? onSqlite : onPostgres));
}
