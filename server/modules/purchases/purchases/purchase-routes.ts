import { Type } from "typebox";
import { parseCreatedAtFilter } from "../../../contract/created-at-filter.ts";
import { Paged } from "../../../contract/paging.ts";
import { FAMILIES, FAMILY_FACTS, wordsOf } from "../../../contract/pos/families.ts";
import type { ProductFamily } from "../../../contract/v1/offers.ts";
import {
  PurchaseAccepted,
  PurchaseQuery,
  TransactionParams,
} from "../../../contract/v1/purchase-record.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { PURCHASED_FAMILIES, toRecord } from "./families/index.ts";
import type { PurchaseService } from "./purchase-service.ts";

/** Codes that every purchase may have (rules#error-statuses). */
const REFUSALS = [
  "OFFER_NOT_FOUND",
  "OFFER_DISABLED",
  "DUPLICATE_TRANSACTION_ID",
  "PROVIDER_NOT_CONFIGURED",
  "INSUFFICIENT_FUNDS",
] as const;

const ANSWER = "The purchase was stored; with validateOnly, its quote";

/** rules#purchase-accepted */
export function registerPurchaseRoutes(app: App, purchases: PurchaseService): void {
  for (const family of FAMILIES) registerFamily(app, purchases, family);
}

function toFilter({ createdAt, updatedAt, status }: Omit<PurchaseQuery, "_limit" | "_offset">) {
  return {
    ...(createdAt !== undefined && { createdAt: parseCreatedAtFilter(createdAt) }),
    ...(updatedAt !== undefined && { updatedAt: parseCreatedAtFilter(updatedAt, "updatedAt") }),
    ...(status !== undefined && { status }),
  };
}

function registerFamily(app: App, purchases: PurchaseService, family: ProductFamily): void {
  const { input, record, quote, buying, refusals } = PURCHASED_FAMILIES[family];
  const { path: section, tag, name, words } = FAMILY_FACTS[family];
  const path = `/${section}/purchases`;
  const tags = [tag];

  app.get(
    path,
    {
      schema: {
        operationId: `list${name}Purchases`,
        summary: `List ${wordsOf(family)} purchases`,
        tags,
        querystring: PurchaseQuery,
        response: answers(Paged(record)),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, ...query } = request.query;
      const page = { limit, offset };
      const found = await purchases.list(clientOf(request), family, toFilter(query), page);
      return { ...page, total: found.total, list: found.list.map(toRecord) };
    },
  );

  app.post(
    path,
    {
      schema: {
        operationId: `create${name}Purchase`,
        summary: buying,
        description:
          "Validates the request and answers with the transaction's status. Poll the purchase by its id until it is DONE or FAILED. With `validateOnly`, makes the same checks, buys nothing and answers with the quote.",
        tags,
        body: input,
        response: answers(Type.Union([PurchaseAccepted, quote], { description: ANSWER }), [
          ...REFUSALS,
          ...refusals,
        ]),
      },
    },
    (request) => {
      const { validateOnly = false, ...wanted } = request.body as { validateOnly?: boolean };
      const client = clientOf(request);
      return validateOnly
        ? purchases.quote(client, family, wanted)
        : purchases.buy(client, family, wanted);
    },
  );

  app.get(
    `${path}/:transactionId`,
    {
      schema: {
        operationId: `get${name}Purchase`,
        summary: `Get ${words} purchase`,
        tags,
        params: TransactionParams,
        response: answers(record),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return toRecord(await purchases.get(clientOf(request), family, transactionId));
    },
  );
}
