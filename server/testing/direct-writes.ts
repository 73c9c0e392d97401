import { getConnections } from "../db/connections.ts";
import type { Db } from "../db/database.ts";

/**
 * The connection of a database that writes, for a test that changes what no program changes: past
 * every transaction, rule and listener.
 */
export function writerOf(db: Db): Db {
  return getConnections(db).writer;
}

/** Ends every connection as a kill does: in the middle of whatever is being written. */
export function cutConnections(db: Db): void {
  for (const connection of getConnections(db).sqlite) connection.close();
}
