import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ApiError, isRefusal } from "../../../../lib/api-client.ts";
import { subscribeConnection } from "../../../../lib/connection-store.ts";
import { soldHere } from "../../../../lib/listeners.ts";
import { putSale, saleQuery } from "../../../../lib/pos-queries.ts";
import { postSale } from "../../api/counter-queries.ts";
import { discardHeld } from "../../api/held-queries.ts";
import {
  type ConfirmedAttempt,
  isOwn,
  isPaidBy,
  listUnsentAttempts,
  refuseAttempt,
  removeAttempt,
  takeOver,
} from "./attempt-store.ts";
import type { TillPlace } from "./till.ts";

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
    soldHere.notify(sale);
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

/**
 * Sends paid sales that got no response. The counter handles a rejected sale: it shows the reason
 * and the refund.
 * @param place undefined while the clerk is at the counter, which sends them itself
 */
export function useUnsentSender(place: TillPlace | undefined): void {
  const { environment, staffId, training } = place ?? {};
  const queryClient = useQueryClient();
  useEffect(() => {
    if (environment === undefined || staffId === undefined || training === undefined) {
      return undefined;
    }
    const here = { environment, staffId, training };
    let isSending = false;

    async function sendAll() {
      if (isSending) {
        return;
      }
      isSending = true;
      try {
        for (const attempt of listUnsentAttempts()) {
          await sendOne(attempt);
        }
      } finally {
        isSending = false;
      }
    }

    /**
     * Sends a sale. If the browser's storage is full, retries later and does not block other sales.
     */
    async function sendOne(attempt: ReturnType<typeof listUnsentAttempts>[number]) {
      try {
        if (isPaidBy(here, attempt) && (isOwn(attempt) || (await takeOver(attempt)))) {
          await repeatAttempt(queryClient, attempt);
        }
      } catch {
        // Retries later: the gateway then repeats its response.
      }
    }

    void sendAll();
    const timer = setInterval(() => void sendAll(), RETRY_MS);
    const stopListening = subscribeConnection(() => void sendAll());
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [environment, staffId, training, queryClient]);
}
