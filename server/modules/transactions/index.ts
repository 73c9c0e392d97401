export { refOf, scopeOfSubject, subjectOf, type TransactionRef } from "./transaction-log-store.ts";
export { isFinal } from "./transaction-machine.ts";
export { toLogItem, toTransactionRecord } from "./transaction-record.ts";
export { registerTransactionRoutes } from "./transaction-routes.ts";
export { TransactionService } from "./transaction-service.ts";
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
