import type { QueryResult } from "kysely";

/** Runs a statement at once without Kysely's overhead, which is longer than most statements. */
export interface DirectConnection {
  /** @throws SQLite's error; and an error if the caller may not use this connection now */
  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row>;
}

/** By the database or the transaction that may use it without waiting. */
const connections = new WeakMap<object, DirectConnection>();

/**
 * Returns the direct connection that runs statements of a database or a transaction at once; undefined
 * if they are queued.
 */
export function findDirect(db: object): DirectConnection | undefined {
  return connections.get(db);
}

export function setDirect(db: object, connection: DirectConnection): void {
  connections.set(db, connection);
}
