import { queryOptions } from "@tanstack/react-query";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** The usual choices depend on the hour. */
const STALE_MS = 10 * 60_000;

/** The products that this shop usually sells at this hour. */
export function usualChoicesQuery() {
  return queryOptions({
    ...operationQuery(searchOperations.listUsualChoices),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  });
}
