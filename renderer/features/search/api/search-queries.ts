import { queryOptions } from "@tanstack/react-query";
import { saleOperations } from "../../../../server/contract/pos/sales.ts";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** The request is conditional, so an unchanged index is not sent again. */
export function searchIndexQuery() {
  return queryOptions({
    ...operationQuery(searchOperations.getIndex),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Finds sales of any age by sale number or whole phone number. */
export function olderSalesQuery(typed: string) {
  return queryOptions({
    ...operationQuery(saleOperations.find, { query: { typed } }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}

/** Number of sales in which the exact number is searched. */
const MOST_SALES = 50;

/** Newest first. */
export function foundSalesQuery(since: string, search: string) {
  return queryOptions({
    ...operationQuery(saleOperations.list, {
      query: { since, search, limit: MOST_SALES, offset: 0 },
    }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}
