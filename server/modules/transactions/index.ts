export { createTransactionsModule } from "./module.ts";
export { refOf, scopeOfSubject, subjectOf, type TransactionRef } from "./transaction-log-store.ts";
export { isFinal } from "./transaction-machine.ts";
export { toLogItem, toTransactionRecord } from "./transaction-record.ts";
export {
  createTransaction,
  findTransaction,
  findTransactions,
  listTransactions,
  listUnreconciled,
  markReconciled,
  type Page,
  StaleTransition,
  type StoredTransaction,
  type TransactionFilter,
  transition,
} from "./transaction-store.ts";
