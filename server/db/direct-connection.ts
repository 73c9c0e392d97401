import type { QueryResult } from "kysely";

/** Runs statements without Kysely, whose overhead takes longer than most statements. */
export interface DirectConnection {
  readonly engine: "sqlite" | "postgres";
  /**
   * Runs statements in the order of the calls. SQLite returns the result at once.
   * @throws the engine's error, or an error if the caller may not use this connection now
   */
  run<Row>(
    sql: string,
    parameters: readonly unknown[],
  ): QueryResult<Row> | Promise<QueryResult<Row>>;
}

/** Direct connections, by the database or transaction that may use them without waiting. */
const connections = new WeakMap<object, DirectConnection>();

/**
 * Returns the direct connection of a database or transaction; undefined if
 * its statements are queued.
 */
export function findDirect(db: object): DirectConnection | undefined {
  return connections.get(db);
}

export function setDirect(db: object, connection: DirectConnection): void {
  connections.set(db, connection);
}
