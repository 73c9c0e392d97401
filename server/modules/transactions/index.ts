export { isFinal } from "./transaction-machine.ts";
export { toLogItem, toTransactionRecord } from "./transaction-record.ts";
export {
  createTransaction,
  findTransaction,
  findTransactions,
  listTransactions,
  type Page,
  productTypesOf,
  StaleTransition,
  type StoredTransaction,
  type TransactionFilter,
  type TransactionRef,
  transition,
} from "./transaction-store.ts";
