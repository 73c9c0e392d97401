import { saleOperations } from "../../../../server/contract/pos/sales.ts";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/**
 * Query of the search index. The request is conditional, so an unchanged index is not sent again.
 */
export function searchIndexQuery() {
  return { ...operationQuery(searchOperations.getIndex), staleTime: Number.POSITIVE_INFINITY };
}

/** Finds sales of any age by sale number or whole phone number. */
export function olderSalesQuery(typed: string) {
  return {
    ...operationQuery(saleOperations.find, { query: { typed } }),
    staleTime: 5_000,
    gcTime: 60_000,
  };
}

/** Number of today's sales among which a number is searched. */
const MOST_SALES = 50;

/** Query of the sales that contain a number, newest first. */
export function foundSalesQuery(since: string, search: string) {
  return {
    ...operationQuery(saleOperations.list, {
      query: { since, search, limit: MOST_SALES, offset: 0 },
    }),
    staleTime: 5_000,
    gcTime: 60_000,
  };
}
