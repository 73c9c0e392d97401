import type { LogItem } from "../../../contract/v1/purchase-record.ts";
import type { Transaction } from "../../../contract/v1/transactions.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { LogEntry } from "./transaction-log-store.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/** The generic transaction (rules#record-generic-transaction). */
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

/** `dto.TransactionLogItem` (rules#purchase-log). */
export function toLogItem(entry: LogEntry): LogItem {
  return {
    dateTime: toTimestamp(entry.loggedAt),
    status: entry.status,
    statusMessage: entry.message,
  };
}
