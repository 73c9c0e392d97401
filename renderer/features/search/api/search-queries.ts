import { queryOptions } from "@tanstack/react-query";
import { saleOperations } from "../../../../server/contract/pos/sales.ts";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Everything that is sold. The browser asks with what it has, so an unchanged one costs nothing. */
export function searchIndexQuery() {
  return queryOptions({
    ...operationQuery(searchOperations.getIndex),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sales of any age with this number, or to this whole number as it is written; see the contract. */
export function olderSalesQuery(typed: string) {
  return queryOptions({
    ...operationQuery(saleOperations.find, { query: { typed } }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}

/** As many as are looked through for the one with that number. */
const MOST_SALES = 50;

/** Sales since a moment with this number, or of a number that holds these digits; newest first. */
export function foundSalesQuery(since: string, search: string) {
  return queryOptions({
    ...operationQuery(saleOperations.list, {
      query: { since, search, limit: MOST_SALES, offset: 0 },
    }),
    staleTime: 5_000,
    gcTime: 60_000,
  });
}
