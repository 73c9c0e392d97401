import { type ForeignVersion, getConnections } from "./connections.ts";
import type { Db } from "./database.ts";
import { isHistory } from "./history-tables.ts";
import type { Transactor } from "./transactor.ts";

/** Detects when a cached value may have changed. */
export interface CommitWatch {
  /**
   * Returns a stamp that changes with every commit of any process, except commits that write only
   * sales.
   */
  stamp(): number;
  /**
   * Returns the stamp for a new request: other processes are checked once
   * per turn of the event loop.
   */
  stampOfTurn(): number;
  /**
   * Returns a number that changes with every commit of this process, and with commits of other
   * processes that `stamp` has found.
   */
  commits(): number;
  /** Returns a number that changes with every commit of another process. */
  foreign(): number;
  /**
   * Calls the listener soon after another process has committed. Processes that share a SQLite file
   * get no notifications and must check periodically.
   */
  onForeign(listener: () => void): void;
}

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
