import { queryOptions, skipToken } from "@tanstack/react-query";
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

/**
 * What is known of a number as it was typed, with a "+" in front or without. Earlier sales change
 * with every sale; a `sale` event marks this stale.
 */
export function phoneQuery(typed: string) {
  return queryOptions({
    ...operationQuery(counterOperations.describePhone, { query: { number: typed } }),
    staleTime: 60_000,
    enabled: typed !== "",
  });
}

/** Remembers the carrier that a number really has; answers with what is known of it from now on. */
export function putCarrier(number: string, brand: string): Promise<PosPhone> {
  return call(favouriteOperations.rememberCarrier, { params: { number }, body: { brand } });
}

export function quoteQuery(input: PosQuoteInput | undefined) {
  return queryOptions({
    ...operationQuery(counterOperations.quote, input ? { body: input } : skipToken),
    staleTime: 0,
    gcTime: 60_000,
  });
}

/** The sale with this number, of any age, among what else is found by these digits. */
export function saleByNumberQuery(number: number | undefined) {
  return queryOptions({
    ...operationQuery(
      saleOperations.find,
      number === undefined ? skipToken : { query: { typed: String(number) } },
    ),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}

export function recentsQuery() {
  return queryOptions({
    ...operationQuery(counterOperations.listRecents),
    staleTime: 60_000,
  });
}

const SALE_TIMEOUT_MS = 6_000;

/** Sending the same sale again answers with the sale as it stands: a lost answer costs nothing. */
export function postSale(input: SaleInput): Promise<Sale> {
  return call(saleOperations.sell, { body: input, timeoutMs: SALE_TIMEOUT_MS });
}
