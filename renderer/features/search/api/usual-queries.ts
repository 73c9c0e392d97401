import { queryOptions } from "@tanstack/react-query";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Short, because the usual products depend on the hour. */
const STALE_MS = 10 * 60_000;

export function usualChoicesQuery() {
  return queryOptions({
    ...operationQuery(searchOperations.listUsualChoices),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  });
}
