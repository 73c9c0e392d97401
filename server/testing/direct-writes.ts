import { CompiledQuery } from "kysely";
import { getConnections } from "../db/connections.ts";
import type { Db } from "../db/database.ts";
import type { Tables } from "../db/tables.ts";

/**
 * Returns the database's writing connection, for changes that bypass the transactor and its rules.
 */
export function writerOf(db: Db): Db {
  return getConnections(db).writers[0].db;
}

/**
 * Marks all PINs as chosen by their users, who otherwise have to choose a PIN at the first sign-in.
 */
export async function keepGivenPins(db: Db): Promise<void> {
  await writerOf(db).updateTable("staff").set({ pin_given_at: null }).execute();
}

/** Closes every SQLite connection, as if the process were killed during a write. */
export function cutConnections(db: Db): void {
  for (const connection of getConnections(db).sqlite) connection.close();
}

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

export async function takeRowsOf(db: Db): Promise<void> {
  const { engine } = getConnections(db);
  const statement = engine === "sqlite" ? "drop trigger refused" : "drop function refused cascade";
  await writerOf(db).executeQuery(CompiledQuery.raw(statement));
}

/** Runs a statement on every writing connection while none is in a transaction. */
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

/** Removes or restores write access on all connections, as if the disk were remounted. */
export async function setWritable(db: Db, isWritable: boolean): Promise<void> {
  const { engine, writers } = getConnections(db);
  const statement =
    engine === "sqlite"
      ? `pragma query_only = ${isWritable ? "off" : "on"}`
      : `set default_transaction_read_only = ${isWritable ? "off" : "on"}`;
  await onEveryWriter(writers, statement);
}

/**
 * Ends every claim, because tests cannot advance the clock of the database server
 * (docs/decisions/0080). SQLite has no claims.
 */
export async function letClaimsEnd(db: Db): Promise<void> {
  for (const table of ["purchases", "webhook_deliveries"] as const) {
    const ended = writerOf(db).updateTable(table).set({ sent_until: 0 });
    await ended.where("sent_until", "is not", null).execute();
  }
}

/** PostgreSQL's error for a full disk (SQLSTATE 53100), for every insert or update. */
const FULL_ON_POSTGRES = `
  create function disk_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create trigger disk_full before insert or update on %I
        for each statement execute function disk_full()', name);
    end loop;
  end $$`;

export function diskFullIn(db: Db): string {
  const { engine } = getConnections(db);
  return engine === "sqlite" ? "the disk is full" : "the disk of the database server is full";
}

/** Simulates a full disk, or ends the simulation. */
export async function setDiskFull(db: Db, isFull: boolean): Promise<void> {
  const { engine } = getConnections(db);
  const onPostgres = isFull ? FULL_ON_POSTGRES : "drop function disk_full cascade";
  const onSqlite = `pragma max_page_count = ${isFull ? 1 : 1_000_000}`;
  await writerOf(db).executeQuery(CompiledQuery.raw(engine === "sqlite" ? onSqlite : onPostgres));
}
