import { queryOptions } from "@tanstack/react-query";
import type { PosPhone, PosRecents } from "../../../../server/contract/pos/counter.ts";
import type { PosTopupOffers } from "../../../../server/contract/pos/offers.ts";
import type { PosQuote, PosQuoteInput } from "../../../../server/contract/pos/quotes.ts";
import type { Sale, SaleInput } from "../../../../server/contract/pos/sales.ts";
import { request } from "../../../lib/api-client.ts";

/**
 * What is known of a number as it was typed, with a "+" in front or without. Earlier sales change
 * with every sale; a `sale` event marks this stale.
 */
export function phoneQuery(typed: string) {
  return queryOptions({
    queryKey: ["phone", typed],
    queryFn: ({ signal }) =>
      request<PosPhone>("GET", "/pos/phone", { query: { number: typed }, signal }),
    staleTime: 60_000,
    enabled: typed !== "",
  });
}

/** Remembers the carrier that a number really has; answers with what is known of it from now on. */
export function putCarrier(number: string, brand: string): Promise<PosPhone> {
  return request<PosPhone>("PUT", `/pos/phone/${encodeURIComponent(number)}/carrier`, {
    body: { brand },
  });
}

/** Promotions on the offers come with them, in the language where there is one. */
export function offersQuery(country: string, brand: string, language: string) {
  return queryOptions({
    queryKey: ["offers", country, brand, language],
    queryFn: ({ signal }) =>
      request<PosTopupOffers>("GET", "/pos/offers", {
        query: { country, brand, language },
        signal,
      }),
    staleTime: 60_000,
    enabled: country !== "" && brand !== "",
  });
}

export function quoteQuery(input: PosQuoteInput | undefined) {
  return queryOptions({
    queryKey: ["quote", input],
    queryFn: ({ signal }) => request<PosQuote>("POST", "/pos/quotes", { body: input, signal }),
    staleTime: 0,
    gcTime: 60_000,
    enabled: input !== undefined,
  });
}

export function recentsQuery() {
  return queryOptions({
    queryKey: ["recents"],
    queryFn: ({ signal }) => request<PosRecents>("GET", "/pos/recents", { signal }),
    staleTime: 60_000,
  });
}

const SALE_TIMEOUT_MS = 6_000;

/** Sending the same sale again answers with the sale as it stands: a lost answer costs nothing. */
export function postSale(input: SaleInput): Promise<Sale> {
  return request<Sale>("POST", "/pos/sales", { body: input, timeoutMs: SALE_TIMEOUT_MS });
}
