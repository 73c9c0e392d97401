import { skipToken } from "@tanstack/react-query";
import {
  counterOperations,
  type PosPhone,
  type PosQuoteInput,
} from "../../../../server/contract/pos/counter.ts";
import { favouriteOperations } from "../../../../server/contract/pos/favourites.ts";
import {
  type Sale,
  type SaleInput,
  saleOperations,
} from "../../../../server/contract/pos/sales.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** The response contains earlier sales, so a `sale` event marks the response stale. */
export function phoneQuery(typed: string) {
  return {
    ...operationQuery(counterOperations.describePhone, { query: { number: typed } }),
    staleTime: 60_000,
    enabled: typed !== "",
  };
}

/** Stores a number's carrier. Returns the number's updated description. */
export function putCarrier(number: string, brand: string): Promise<PosPhone> {
  return call(favouriteOperations.rememberCarrier, { params: { number }, body: { brand } });
}

export function quoteQuery(input: PosQuoteInput | undefined) {
  return {
    ...operationQuery(counterOperations.quote, input ? { body: input } : skipToken),
    gcTime: 60_000,
  };
}

/** Finds a sale of any age. The response may contain other sales that match the digits. */
export function saleByNumberQuery(number: number | undefined) {
  return {
    ...operationQuery(
      saleOperations.find,
      number === undefined ? skipToken : { query: { typed: String(number) } },
    ),
    staleTime: 5_000,
    gcTime: 60_000,
  };
}

export function recentsQuery() {
  return { ...operationQuery(counterOperations.listRecents), staleTime: 60_000 };
}

const SALE_TIMEOUT_MS = 6_000;

/** Idempotent: a repeat after a lost response returns the sale's current state. */
export function postSale(input: SaleInput): Promise<Sale> {
  return call(saleOperations.sell, { body: input, timeoutMs: SALE_TIMEOUT_MS });
}
