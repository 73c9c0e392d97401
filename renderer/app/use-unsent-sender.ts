import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import {
  isOwn,
  isPaidBy,
  listUnsentAttempts,
  refuseAttempt,
  takeOver,
} from "../features/counter/sale/attempt/attempt-store.ts";
import { RETRY_MS, sendAttempt } from "../features/counter/sale/attempt/send-attempt.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { subscribeConnection } from "../lib/connection-store.ts";

/**
 * Sends paid sales without a response while the clerk is not at the counter; there, the counter
 * sends them. A rejected sale is left to the counter, which shows the reason and the refund.
 */
export function useUnsentSender(place: TillPlace | undefined): void {
  const { environment, staffId, training } = place ?? {};
  const queryClient = useQueryClient();
  const isAtCounter = useRouterState({ select: ({ location }) => location.pathname === "/" });
  useEffect(() => {
    if (
      isAtCounter ||
      environment === undefined ||
      staffId === undefined ||
      training === undefined
    ) {
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
     * Sends a sale. A sale that cannot be stored, because the browser's storage is full, is retried
     * and does not block others.
     */
    async function sendOne(attempt: ReturnType<typeof listUnsentAttempts>[number]) {
      try {
        if (isPaidBy(here, attempt) && (isOwn(attempt) || (await takeOver(attempt)))) {
          const result = await sendAttempt(queryClient, attempt);
          if (result.kind === "refused") {
            refuseAttempt(attempt, result.error);
          }
        }
      } catch {
        // Retried later: the gateway repeats its response.
      }
    }

    void sendAll();
    const timer = setInterval(() => void sendAll(), RETRY_MS);
    const stopListening = subscribeConnection(() => void sendAll());
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [isAtCounter, environment, staffId, training, queryClient]);
}
