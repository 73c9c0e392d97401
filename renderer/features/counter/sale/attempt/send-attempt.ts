import type { QueryClient } from "@tanstack/react-query";
import { type ApiError, isRefusal } from "../../../../lib/api-client.ts";
import { putSale, saleQuery } from "../../../../lib/pos-queries.ts";
import { notifySoldHere } from "../../../../lib/sold-here.ts";
import { postSale } from "../../api/counter-queries.ts";
import { discardHeld } from "../../api/held-queries.ts";
import { type ConfirmedAttempt, refuseAttempt, removeAttempt } from "./attempt-store.ts";

export type SendResult =
  | { readonly kind: "answered" }
  | { readonly kind: "refused"; readonly error: ApiError }
  | { readonly kind: "unanswered" };

export const RETRY_MS = 3_000;

/**
 * Sends a paid sale, and deletes its attempt after the answer. A repeat receives the same answer.
 */
export async function sendAttempt(
  queryClient: QueryClient,
  attempt: ConfirmedAttempt,
): Promise<SendResult> {
  try {
    const sale = await postSale(attempt.input);
    putSale(queryClient, sale);
    notifySoldHere(sale);
    // The sale may have changed since the gateway answered.
    void queryClient.invalidateQueries({
      queryKey: saleQuery(sale.saleId).queryKey,
      refetchType: "all",
    });
    await discardHeld(queryClient, attempt.heldAs);
    removeAttempt(attempt.saleId);
    return { kind: "answered" };
  } catch (error) {
    return isRefusal(error) ? { kind: "refused", error } : { kind: "unanswered" };
  }
}

/**
 * Sends a paid sale again, and stores a refusal: the customer then gets the money back. A closed
 * shift is no refusal, because the sale is sent after the person opens the next shift.
 * @throws StorageError if the browser cannot store the refusal
 */
export async function repeatAttempt(
  queryClient: QueryClient,
  attempt: ConfirmedAttempt,
): Promise<SendResult> {
  const result = await sendAttempt(queryClient, attempt);
  if (result.kind !== "refused") {
    return result;
  }
  if (result.error.errorCode === "SHIFT_REQUIRED") {
    return { kind: "unanswered" };
  }
  refuseAttempt(attempt, result.error);
  return result;
}
