import type { QueryResult } from "kysely";

/** Runs a statement at once, past the ways of Kysely, which take longer than most statements. */
export interface DirectConnection {
  /** @throws what SQLite throws; and where the caller may not use this connection now */
  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row>;
}

/** By the database or the transaction that may use it without waiting for its turn. */
const connections = new WeakMap<object, DirectConnection>();

/** What runs statements of a database or a transaction at once; undefined where each waits its turn. */
export function findDirect(db: object): DirectConnection | undefined {
  return connections.get(db);
}

export function setDirect(db: object, connection: DirectConnection): void {
  connections.set(db, connection);
}
