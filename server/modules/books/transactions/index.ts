export { createTransactionsModule } from "./module.ts";
export type { Page, TransactionFilter } from "./transaction-list.ts";
export { isFinal } from "./transaction-machine.ts";
export { toLogItem, toTransactionRecord } from "./transaction-service.ts";
export {
  afterSteps,
  createTransaction,
  type NewTransaction,
  StaleTransition,
  type Transition,
  transition,
} from "./transaction-steps.ts";
export {
  findTransaction,
  findTransactions,
  type LogEntry,
  listTransactions,
  listUnreconciled,
  logOf,
  markReconciled,
  refOf,
  type StoredTransaction,
  subjectOf,
  TRANSACTION_COLUMNS,
  type TransactionRef,
  type TransactionRow,
  toTransaction,
} from "./transaction-store.ts";
