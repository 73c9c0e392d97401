import { parseCreatedAtFilter } from "../../contract/created-at-filter.ts";
import {
  PurchaseAccepted,
  PurchaseQuery,
  TopupPurchase,
  TopupPurchaseInput,
  TopupPurchasePage,
  TransactionParams,
} from "../../contract/v1/purchases.ts";
import { type App, answers, principalOf } from "../../http/app-types.ts";
import type { PurchaseService } from "./purchase-service.ts";
import { toTopupRecord } from "./topup-record.ts";

/** `/topups/purchases` (spec §4.3). */
export function registerTopupPurchaseRoutes(app: App, purchases: PurchaseService): void {
  app.get(
    "/topups/purchases",
    {
      schema: {
        operationId: "listTopupPurchases",
        summary: "List top-up purchases",
        tags: ["Topups"],
        querystring: PurchaseQuery,
        response: answers(TopupPurchasePage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, createdAt, status } = request.query;
      const filter = {
        ...(createdAt !== undefined && { createdAt: parseCreatedAtFilter(createdAt) }),
        ...(status !== undefined && { status }),
      };
      const page = { limit, offset };
      const { total, list } = await purchases.listTopups(principalOf(request), filter, page);
      return { limit, offset, total, list: list.map(toTopupRecord) };
    },
  );

  app.post(
    "/topups/purchases",
    {
      schema: {
        operationId: "createTopupPurchase",
        summary: "Buy a top-up, bundle or data pack",
        description:
          "Validates the request and answers with the transaction's status. Poll the purchase by its id until it is DONE or FAILED.",
        tags: ["Topups"],
        body: TopupPurchaseInput,
        response: answers(PurchaseAccepted),
      },
    },
    (request) => purchases.buyTopup(principalOf(request), request.body),
  );

  app.get(
    "/topups/purchases/:transactionId",
    {
      schema: {
        operationId: "getTopupPurchase",
        summary: "Get a top-up purchase",
        tags: ["Topups"],
        params: TransactionParams,
        response: answers(TopupPurchase),
      },
    },
    async (request) =>
      toTopupRecord(await purchases.getTopup(principalOf(request), request.params.transactionId)),
  );
}
