import { parseCreatedAtFilter } from "../../../contract/created-at-filter.ts";
import type { paging } from "../../../contract/paging.ts";
import { Problem } from "../../../contract/problem.ts";
import { type LogItem, TransactionParams } from "../../../contract/v1/purchase-record.ts";
import {
  Transaction,
  TransactionPage,
  TransactionQuery,
} from "../../../contract/v1/transactions.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { ListTotals } from "../../../db/list-totals.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import type { Page, TransactionFilter } from "./transaction-list.ts";
import {
  findTransaction,
  type LogEntry,
  listTransactions,
  productTypesOf,
  type StoredTransaction,
} from "./transaction-store.ts";

class TransactionService {
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

export type { Page, TransactionFilter } from "./transaction-list.ts";
export {
  afterSteps,
  createTransaction,
  isFinal,
  type NewTransaction,
  StaleTransition,
  type Transition,
  transition,
} from "./transaction-machine.ts";
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
