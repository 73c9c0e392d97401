import type { Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/** Writes what becomes of a purchase, in a transaction that has its account for itself. */
export function writeFor<T>(
  { transactor, clock }: { transactor: Transactor; clock: Clock },
  { transaction }: StoredPurchase,
  work: (tx: Tx, now: number) => Promise<T>,
): Promise<T> {
  return transactor.transact(transaction.accountId, (tx) => work(tx, clock.now()));
}
