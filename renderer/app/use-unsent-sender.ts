import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Environment } from "../../server/contract/common.ts";
import { isConfirmed, listAttempts } from "../features/counter/attempt-store.ts";
import { RETRY_MS, sendAttempt } from "../features/counter/send-attempt.ts";
import { subscribeConnection } from "../lib/connection-store.ts";

/**
 * Sends what was paid and not answered while the clerk looks at another screen; the counter does it
 * by itself. What is refused is left to the counter, which says so and how much to give back.
 */
export function useUnsentSender(environment: Environment | undefined): void {
  const queryClient = useQueryClient();
  const isAtCounter = useRouterState({ select: ({ location }) => location.pathname === "/" });
  useEffect(() => {
    if (isAtCounter || environment === undefined) {
      return undefined;
    }
    const refused = new Set<string>();
    let isSending = false;

    async function sendAll() {
      if (isSending) {
        return;
      }
      isSending = true;
      for (const attempt of listAttempts().filter(isConfirmed)) {
        if (attempt.environment === environment && !refused.has(attempt.saleId)) {
          const { kind } = await sendAttempt(queryClient, attempt);
          if (kind === "refused") {
            refused.add(attempt.saleId);
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
  }, [isAtCounter, environment, queryClient]);
}
