import { queryOptions, skipToken } from "@tanstack/react-query";
import { displayOperations } from "../../../../server/contract/pos/displays.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** A customer answers within seconds, and the clerk waits. */
const ASK_AGAIN_MS = 1_000;

/** What the customer said of the number of a line on the display; asked again while it is shown. */
export function answerOfDisplayQuery(
  params: { readonly code: string; readonly transactionId: string } | undefined,
) {
  return queryOptions({
    ...operationQuery(displayOperations.getAnswer, params ? { params } : skipToken),
    refetchInterval: ASK_AGAIN_MS,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}
