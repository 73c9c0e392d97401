import { queryOptions } from "@tanstack/react-query";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** What is usual changes with the hour. */
const STALE_MS = 10 * 60_000;

/** What this shop sells at this hour. */
export function usualChoicesQuery() {
  return queryOptions({
    ...operationQuery(searchOperations.listUsualChoices),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  });
}
