import { parseCreatedAtFilter } from "../../contract/created-at-filter.ts";
import {
  PurchaseAccepted,
  PurchaseQuery,
  TopupPurchase,
  TopupPurchaseInput,
  TopupPurchasePage,
  TransactionParams,
  VoucherPurchase,
  VoucherPurchaseInput,
  VoucherPurchasePage,
} from "../../contract/v1/purchases.ts";
import { type App, answers, principalOf } from "../../http/app-types.ts";
import { toTopupRecord, toVoucherRecord } from "./purchase-records.ts";
import type { PurchaseService } from "./purchase-service.ts";

const ACCEPTED =
  "Validates the request and answers with the transaction's status. Poll the purchase by its id until it is DONE or FAILED.";

/** Reads the filters that every purchase list takes (spec §4, §8). */
function filterOf({ createdAt, status }: Pick<PurchaseQuery, "createdAt" | "status">) {
  return {
    ...(createdAt !== undefined && { createdAt: parseCreatedAtFilter(createdAt) }),
    ...(status !== undefined && { status }),
  };
}

/** `/topups/purchases` (spec §4.3). */
export function registerTopupPurchaseRoutes(app: App, purchases: PurchaseService): void {
  const tags = ["Topups"];

  app.get(
    "/topups/purchases",
    {
      schema: {
        operationId: "listTopupPurchases",
        summary: "List top-up purchases",
        tags,
        querystring: PurchaseQuery,
        response: answers(TopupPurchasePage),
      },
    },
    async (request) => {
      const page = { limit: request.query._limit, offset: request.query._offset };
      const filter = filterOf(request.query);
      const found = await purchases.list(principalOf(request), "TOPUP", filter, page);
      return { ...page, total: found.total, list: found.list.map(toTopupRecord) };
    },
  );

  app.post(
    "/topups/purchases",
    {
      schema: {
        operationId: "createTopupPurchase",
        summary: "Buy a top-up, bundle or data pack",
        description: ACCEPTED,
        tags,
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
        tags,
        params: TransactionParams,
        response: answers(TopupPurchase),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return toTopupRecord(await purchases.get(principalOf(request), "TOPUP", transactionId));
    },
  );
}

/** `/vouchers/purchases` (spec §4.4). */
export function registerVoucherPurchaseRoutes(app: App, purchases: PurchaseService): void {
  const tags = ["Vouchers"];

  app.get(
    "/vouchers/purchases",
    {
      schema: {
        operationId: "listVoucherPurchases",
        summary: "List voucher purchases",
        tags,
        querystring: PurchaseQuery,
        response: answers(VoucherPurchasePage),
      },
    },
    async (request) => {
      const page = { limit: request.query._limit, offset: request.query._offset };
      const filter = filterOf(request.query);
      const found = await purchases.list(principalOf(request), "VOUCHER", filter, page);
      return { ...page, total: found.total, list: found.list.map(toVoucherRecord) };
    },
  );

  app.post(
    "/vouchers/purchases",
    {
      schema: {
        operationId: "createVoucherPurchase",
        summary: "Buy a gift card or pay a utility",
        description: ACCEPTED,
        tags,
        body: VoucherPurchaseInput,
        response: answers(PurchaseAccepted),
      },
    },
    (request) => purchases.buyVoucher(principalOf(request), request.body),
  );

  app.get(
    "/vouchers/purchases/:transactionId",
    {
      schema: {
        operationId: "getVoucherPurchase",
        summary: "Get a voucher purchase",
        tags,
        params: TransactionParams,
        response: answers(VoucherPurchase),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return toVoucherRecord(await purchases.get(principalOf(request), "VOUCHER", transactionId));
    },
  );
}
