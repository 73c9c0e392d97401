import { parseCreatedAtFilter } from "../../../contract/created-at-filter.ts";
import type { paging } from "../../../contract/paging.ts";
import { TransactionParams } from "../../../contract/v1/purchase-record.ts";
import {
  Transaction,
  TransactionPage,
  TransactionQuery,
} from "../../../contract/v1/transactions.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { Base, Module } from "../../module.ts";
import type { TransactionFilter } from "./transaction-list.ts";
import { TransactionService, toTransactionRecord } from "./transaction-service.ts";
import { productTypesOf } from "./transaction-store.ts";

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

export function createTransactionsModule({ db }: Base) {
  const transactions = new TransactionService(db);
  return {
    services: { transactions },
    v1: (app) => registerTransactionRoutes(app, transactions),
  } satisfies Module;
}

type Filters = Omit<TransactionQuery, keyof typeof paging>;

/** The type requires an entry for every query parameter. */
const READ_FILTER: {
  [Name in keyof Required<Filters>]: (value: Required<Filters>[Name]) => TransactionFilter;
} = {
  createdAt: (createdAt) => ({ createdAt: parseCreatedAtFilter(createdAt) }),
  productType: (productType) => ({ productTypes: productTypesOf(productType) }),
  status: (status) => ({ status }),
  type: (type) => ({ type }),
  updatedAt: (updatedAt) => ({ updatedAt: parseCreatedAtFilter(updatedAt, "updatedAt") }),
};

function toFilter(query: Filters): TransactionFilter {
  const read = READ_FILTER as Record<string, (value: never) => TransactionFilter>;
  let filter: TransactionFilter = {};
  for (const [name, value] of Object.entries(query)) {
    filter = { ...filter, ...read[name]?.(value as never) };
  }
  return filter;
}

function registerTransactionRoutes(app: App, transactions: TransactionService): void {
  app.get(
    "/transactions",
    {
      schema: {
        operationId: "listTransactions",
        summary: "List transactions",
        tags: ["Transactions"],
        querystring: TransactionQuery,
        response: answers(TransactionPage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, ...query } = request.query;
      const filter = toFilter(query);
      const page = { limit, offset };
      const { total, list } = await transactions.list(clientOf(request), filter, page);
      return { limit, offset, total, list: list.map(toTransactionRecord) };
    },
  );

  app.get(
    "/transactions/:transactionId",
    {
      schema: {
        operationId: "getTransaction",
        summary: "Get a transaction",
        tags: ["Transactions"],
        params: TransactionParams,
        response: answers(Transaction),
      },
    },
    async (request) =>
      toTransactionRecord(await transactions.get(clientOf(request), request.params.transactionId)),
  );
}
