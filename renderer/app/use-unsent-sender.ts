import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import {
  isOwn,
  isPaidBy,
  listUnsentAttempts,
  takeOver,
} from "../features/counter/sale/attempt/attempt-store.ts";
import { RETRY_MS, repeatAttempt } from "../features/counter/sale/attempt/send-attempt.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { subscribeConnection } from "../lib/connection-store.ts";

/**
 * Sends paid sales that got no response while the clerk is on another screen; the counter sends
 * them itself. The counter handles a rejected sale: it shows the reason and the refund.
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
  }, [isAtCounter, environment, staffId, training, queryClient]);
}
