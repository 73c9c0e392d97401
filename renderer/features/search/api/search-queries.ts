import { queryOptions } from "@tanstack/react-query";
import type { FoundSales, Sales } from "../../../../server/contract/pos/sales.ts";
import type { PosSearchIndex } from "../../../../server/contract/pos/search-index.ts";
import { request } from "../../../lib/api-client.ts";

/** Everything that is sold. The browser asks with what it has, so an unchanged one costs nothing. */
export function searchIndexQuery() {
  return queryOptions({
    queryKey: ["offers", "search-index"],
    queryFn: ({ signal }) => request<PosSearchIndex>("GET", "/pos/search-index", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sales of any age with this number, or to this whole number as it is written; see the contract. */
export function olderSalesQuery(typed: string) {
  return queryOptions({
    queryKey: ["found-sales", "any-age", typed],
    queryFn: ({ signal }) =>
      request<FoundSales>("GET", "/pos/found-sales", { query: { typed }, signal }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}

/** As many as are looked through for the one with that number. */
const MOST_SALES = 50;

/** Sales since a moment with this number, or of a number that holds these digits; newest first. */
export function foundSalesQuery(since: string, search: string) {
  return queryOptions({
    queryKey: ["found-sales", since, search],
    queryFn: ({ signal }) =>
      request<Sales>("GET", "/pos/sales", {
        query: { since, search, limit: MOST_SALES, offset: 0 },
        signal,
      }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}
