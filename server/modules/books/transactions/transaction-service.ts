import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { ListTotals } from "../../../db/list-totals.ts";
import type { Page, TransactionFilter } from "./transaction-list.ts";
import { findTransaction, listTransactions, type StoredTransaction } from "./transaction-store.ts";

/** Every movement of the wallet, whatever it paid for. */
export class TransactionService {
  readonly #db: Db;
  readonly #totals = new ListTotals();

  constructor(db: Db) {
    this.#db = db;
  }

  /** @throws Problem NOT_FOUND */
  async get(scope: Scope, transactionId: string): Promise<StoredTransaction> {
    const found = await findTransaction(this.#db, { ...scope, transactionId });
    // What was sold in training is visible at the till only.
    if (!found || found.training) {
      throw new Problem("NOT_FOUND", `There is no transaction ${transactionId}.`);
    }
    return found;
  }

  list(
    scope: Scope,
    filter: TransactionFilter,
    page: Page,
  ): Promise<{ total: number; list: StoredTransaction[] }> {
    return readSnapshot(this.#db, (snapshot) =>
      listTransactions(snapshot, scope, filter, page, this.#totals),
    );
  }
}
