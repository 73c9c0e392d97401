import type { Tx } from "./database.ts";
import type { Transactor } from "./transactor.ts";

/**
 * Does something to rows of many accounts, each account's in a transaction of its own and one after the other: who sells
 * waits for what is done to its own account, and that is short.
 */
export async function transactByAccount<Row extends { account_id: string }>(
  transactor: Transactor,
  rows: readonly Row[],
  work: (tx: Tx, rows: readonly Row[], accountId: string) => Promise<void>,
): Promise<void> {
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    await transactor.transact(accountId, (tx) => work(tx, own, accountId));
  }
}
