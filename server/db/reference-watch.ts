import { getConnections } from "./connections.ts";
import type { Db } from "./database.ts";
import type { Tables } from "./tables.ts";
import type { Transactor } from "./transactor.ts";

/**
 * What is written with every sale. Nothing that is remembered between requests is read from these;
 * all other tables hold what sales are decided by: keys, prices, people, settings.
 */
const HISTORY: ReadonlySet<string> = new Set<keyof Tables>([
  "changes",
  "jobs",
  "ledger_accounts",
  "ledger_entries",
  "ledger_postings",
  "purchases",
  "simulator_orders",
  "transaction_log",
  "transactions",
]);

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
  const foreign = () => connections.readForeignVersion();
  let changes = 0;
  let commits = 0;
  let seen = foreign();
  transactor.onCommit((written) => {
    commits += 1;
    if ([...written].some((table) => !HISTORY.has(table))) changes += 1;
  });

  function stampOf(version: number): number {
    if (version !== seen) {
      seen = version;
      changes += 1;
      commits += 1;
    }
    return changes;
  }

  return {
    stamp: () => stampOf(foreign()),
    stampOfTurn: () => stampOf(connections.readForeignVersionOfTurn()),
    commits: () => commits,
    foreign,
    onForeign: (listener) => connections.onForeignCommit(listener),
  };
}
