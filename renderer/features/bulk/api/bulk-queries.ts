import { queryOptions } from "@tanstack/react-query";
import {
  type BulkLinesQuery,
  type BulkRun,
  bulkOperations,
} from "../../../../server/contract/pos/bulk-runs.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** Queries to invalidate after each action on a bulk run. */
export const BULK_ANSWERS = [bulkOperations.list, bulkOperations.get, bulkOperations.listLines];

const SOON_MS = 1_000;
const LATER_MS = 4_000;

/** Returns the polling interval in ms; false after the end of the run. */
function lookAgainIn(run: BulkRun | undefined): number | false {
  if (!run || run.state === "CHECKING" || run.state === "RUNNING") {
    return SOON_MS;
  }
  return run.state === "PAUSED" || run.sending.lines > 0 ? LATER_MS : false;
}

export function bulkRunQuery(runId: string) {
  return queryOptions({
    ...operationQuery(bulkOperations.get, { params: { runId } }),
    refetchInterval: ({ state }) => lookAgainIn(state.data),
  });
}

/** @param version text that changes whenever the lines may have changed */
export function bulkLinesQuery(runId: string, query: BulkLinesQuery, version: string) {
  const input = { params: { runId }, query };
  return queryOptions({
    ...operationQuery(bulkOperations.listLines, input),
    queryKey: queryKeyOf(bulkOperations.listLines, input, version),
    placeholderData: (before) => before,
  });
}
