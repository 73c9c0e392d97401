export { createTransactionsModule } from "./module.ts";
export type { Page, TransactionFilter } from "./transaction-list.ts";
export { logOf, refOf, subjectOf, type TransactionRef } from "./transaction-log-store.ts";
export { isFinal } from "./transaction-machine.ts";
export { toLogItem, toTransactionRecord } from "./transaction-record.ts";
export {
  afterSteps,
  createTransaction,
  findTransaction,
  findTransactions,
  listTransactions,
  listUnreconciled,
  markReconciled,
  StaleTransition,
  type StoredTransaction,
  type TransactionRow,
  type Transition,
  toTransaction,
  transition,
} from "./transaction-store.ts";
