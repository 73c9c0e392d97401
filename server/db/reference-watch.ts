import { type ForeignVersion, getConnections } from "./connections.ts";
import type { Db } from "./database.ts";
import { isHistory } from "./history-tables.ts";
import type { Transactor } from "./transactor.ts";

/** Tells when something that is remembered may have changed. */
export interface CommitWatch {
  /** The same twice: nothing but sales was committed in between, by any process. */
  stamp(): number;
  /**
   * The same as `stamp`, for a request that has just arrived: other processes are looked for once in a
   * turn of the event loop.
   */
  stampOfTurn(): number;
  /**
   * The same twice: nothing at all was committed in between, by this process; by another one, as far as
   * the last `stamp` has seen it.
   */
  commits(): number;
  /** The same twice: no other process committed anything in between. */
  foreign(): number;
  /**
   * Calls back soon after another process has committed. Where processes share a file nobody tells of it: who
   * has to know looks now and then.
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
