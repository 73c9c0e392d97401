import { queryOptions } from "@tanstack/react-query";
import { saleOperations } from "../../../../server/contract/pos/sales.ts";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** The search index. Requests are conditional, so an unchanged index costs nothing. */
export function searchIndexQuery() {
  return queryOptions({
    ...operationQuery(searchOperations.getIndex),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sales of any age with this sale number, or this whole phone number; see the contract. */
export function olderSalesQuery(typed: string) {
  return queryOptions({
    ...operationQuery(saleOperations.find, { query: { typed } }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}

/** Number of sales that are searched for the exact number. */
const MOST_SALES = 50;

/** Sales since a moment with this sale number, or a phone number that contains these digits; newest first. */
export function foundSalesQuery(since: string, search: string) {
  return queryOptions({
    ...operationQuery(saleOperations.list, {
      query: { since, search, limit: MOST_SALES, offset: 0 },
    }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}
