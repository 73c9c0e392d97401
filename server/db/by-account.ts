import type { Tx } from "./database.ts";
import type { Transactor } from "./transactor.ts";

/**
 * Processes rows of many accounts, account by account, each in a transaction. A sale then waits
 * only for the short work on its own account.
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
