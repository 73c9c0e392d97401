export { createTransactionsModule } from "./module.ts";
export type { Page, TransactionFilter } from "./transaction-list.ts";
export { refOf, subjectOf, type TransactionRef } from "./transaction-log-store.ts";
export { isFinal } from "./transaction-machine.ts";
export { toLogItem, toTransactionRecord } from "./transaction-record.ts";
export {
  createTransaction,
  findTransaction,
  findTransactions,
  listTransactions,
  listUnreconciled,
  markReconciled,
  StaleTransition,
  type StoredTransaction,
  transition,
} from "./transaction-store.ts";
