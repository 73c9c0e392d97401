import { parseCreatedAtFilter } from "../../contract/created-at-filter.ts";
import { TransactionParams } from "../../contract/v1/purchase-record.ts";
import { Transaction, TransactionPage, TransactionQuery } from "../../contract/v1/transactions.ts";
import { type App, answers, clientOf } from "../../http/app-types.ts";
import { toTransactionRecord } from "./transaction-record.ts";
import type { TransactionService } from "./transaction-service.ts";
import { productTypesOf } from "./transaction-store.ts";

/** `/transactions` (rules#record-generic-transaction). */
export function registerTransactionRoutes(app: App, transactions: TransactionService): void {
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
      const {
        _limit: limit,
        _offset: offset,
        createdAt,
        productType,
        status,
        type,
      } = request.query;
      const filter = {
        ...(createdAt !== undefined && { createdAt: parseCreatedAtFilter(createdAt) }),
        ...(productType !== undefined && { productTypes: productTypesOf(productType) }),
        ...(status !== undefined && { status }),
        ...(type !== undefined && { type }),
      };
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
