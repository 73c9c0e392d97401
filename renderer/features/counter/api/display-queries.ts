import { skipToken } from "@tanstack/react-query";
import { displayOperations } from "../../../../server/contract/pos/displays.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Short, because the clerk waits for the customer's answer. */
const POLL_INTERVAL_MS = 1_000;

/** Polls the customer's answer while the customer display shows the question. */
export function answerOfDisplayQuery(
  params: { readonly code: string; readonly transactionId: string } | undefined,
) {
  return {
    ...operationQuery(displayOperations.getAnswer, params ? { params } : skipToken),
    refetchInterval: POLL_INTERVAL_MS,
    retry: false,
    gcTime: 0,
  };
}
