import { type ForeignVersion, getConnections } from "./connections.ts";
import type { Db } from "./database.ts";
import { isHistory } from "./history-tables.ts";
import type { Transactor } from "./transactor.ts";

/** Shows when a cached value may have changed. */
export interface CommitWatch {
  /** Unchanged if no process committed anything but sales in between. */
  stamp(): number;
  /** Like `stamp`, for a new request: other processes are checked once in a turn of the event loop. */
  stampOfTurn(): number;
  /**
   * Unchanged if this process committed nothing in between, nor another one before the last `stamp`.
   */
  commits(): number;
  /** Unchanged if no other process committed anything in between. */
  foreign(): number;
  /**
   * Calls back soon after another process has committed. Processes that share a file have no notifications
   * and must check periodically.
   */
  onForeign(listener: () => void): void;
}

/** Watches the commits of a gateway, and of other processes on the same database. */
export function watchReference(db: Db, transactor: Transactor): CommitWatch {
  const connections = getConnections(db);
  let changes = 0;
  let commits = 0;
  let seen = connections.readForeignVersion();
  transactor.onCommit((written) => {
    commits += 1;
    if (!isHistory(written)) changes += 1;
  });

  function stampOf(version: ForeignVersion): number {
    if (version.commits !== seen.commits) commits += 1;
    if (version.reference !== seen.reference) changes += 1;
    seen = version;
    return changes;
  }

  return {
    stamp: () => stampOf(connections.readForeignVersion()),
    stampOfTurn: () => stampOf(connections.readForeignVersionOfTurn()),
    commits: () => commits,
    foreign: () => connections.readForeignVersion().commits,
    onForeign: (listener) => connections.onForeignCommit(listener),
  };
}
