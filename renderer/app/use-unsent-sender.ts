import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { listUnsentAttempts, refuseAttempt } from "../features/counter/attempt-store.ts";
import { RETRY_MS, sendAttempt } from "../features/counter/send-attempt.ts";
import type { Till } from "../features/counter/till.ts";
import { subscribeConnection } from "../lib/connection-store.ts";

/**
 * Sends what the clerk was paid for and nobody answered while they look at another screen; the counter does it
 * by itself. What is refused is left to the counter, which says so and how much to give back.
 */
export function useUnsentSender(
  environment: Till["environment"] | undefined,
  staffId: string | undefined,
): void {
  const queryClient = useQueryClient();
  const isAtCounter = useRouterState({ select: ({ location }) => location.pathname === "/" });
  useEffect(() => {
    if (isAtCounter || environment === undefined || staffId === undefined) {
      return undefined;
    }
    let isSending = false;

    async function sendAll() {
      if (isSending) {
        return;
      }
      isSending = true;
      for (const attempt of listUnsentAttempts()) {
        const isOwn = attempt.environment === environment && attempt.staffId === staffId;
        if (isOwn) {
          const result = await sendAttempt(queryClient, attempt);
          if (result.kind === "refused") {
            refuseAttempt(attempt, result.error);
          }
        }
      }
      isSending = false;
    }

    void sendAll();
    const timer = setInterval(() => void sendAll(), RETRY_MS);
    const stopListening = subscribeConnection(() => void sendAll());
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [isAtCounter, environment, staffId, queryClient]);
}
