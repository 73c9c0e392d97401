import { Problem } from "../../../contract/problem.ts";
import type { LogItem } from "../../../contract/v1/purchase-record.ts";
import type { Transaction } from "../../../contract/v1/transactions.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { ListTotals } from "../../../db/list-totals.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Page, TransactionFilter } from "./transaction-list.ts";
import {
  findTransaction,
  type LogEntry,
  listTransactions,
  type StoredTransaction,
} from "./transaction-store.ts";

export class TransactionService {
  readonly #db: Db;
  readonly #totals = new ListTotals();

  constructor(db: Db) {
    this.#db = db;
  }

  /** @throws Problem NOT_FOUND */
  async get(scope: Scope, transactionId: string): Promise<StoredTransaction> {
    const found = await findTransaction(this.#db, { ...scope, transactionId });
    // Training sales are visible only at the till.
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

export function toTransactionRecord(stored: StoredTransaction): Transaction {
  return {
    transactionId: stored.transactionId,
    amount: stored.amount,
    currency: stored.currency,
    currencyDivisor: stored.currencyDivisor,
    type: stored.type,
    productType: stored.productType,
    status: stored.status,
    createdAt: toTimestamp(stored.createdAt),
    updatedAt: toTimestamp(stored.updatedAt),
    ...(stored.error && { error: stored.error }),
    log: stored.log.map(toLogItem),
  };
}

export function toLogItem(entry: LogEntry): LogItem {
  return {
    dateTime: toTimestamp(entry.loggedAt),
    status: entry.status,
    statusMessage: entry.message,
  };
}
