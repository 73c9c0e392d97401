import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { isConfirmed, listAttempts, removeAttempt, saveAttempt } from "../attempt-store.ts";
import type { Till } from "../till.ts";
import type { SaleEvent, SaleState } from "./sale-state.ts";

/**
 * Stored as soon as it is opened and after every change, before anything is sent (product lesson
 * 4). What was open when the till stopped opens again, with its ids.
 */
export function useStoredAttempt(
  { staffId, environment }: Till,
  { attempt, paying }: SaleState,
  dispatch: (event: SaleEvent) => void,
): void {
  const stored = useRef<string | undefined>(undefined);
  const tell = useEffectEvent(dispatch);
  useLayoutEffect(() => {
    if (paying) {
      return;
    }
    if (stored.current !== undefined && stored.current !== attempt?.saleId) {
      forgetOpen(stored.current);
    }
    stored.current = attempt?.saleId;
    if (attempt) {
      saveAttempt(attempt);
    }
  }, [attempt, paying]);
  useEffect(() => {
    for (const open of listAttempts().filter((candidate) => !isConfirmed(candidate))) {
      if (open.staffId === staffId && open.environment === environment) {
        tell({ type: "restored", attempt: open });
      } else if (open.staffId === staffId || Date.now() - open.openedAt > KEPT_MS) {
        // Of training, or long forgotten. What somebody else has open waits for them.
        removeAttempt(open.saleId);
      }
    }
  }, [staffId, environment]);
}

/** As long as a sign-in lasts. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/** An attempt that was undone; one that was paid stays until the gateway has answered. */
function forgetOpen(saleId: string): void {
  const open = listAttempts().find((attempt) => attempt.saleId === saleId);
  if (open && !isConfirmed(open)) {
    removeAttempt(saleId);
  }
}
