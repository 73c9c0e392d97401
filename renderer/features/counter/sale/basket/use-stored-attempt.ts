import { useEffect, useEffectEvent, useLayoutEffect } from "react";
import { useBefore } from "../../../../lib/use-before.ts";
import {
  type Attempt,
  isAt,
  isConfirmed,
  isOwn,
  listAttempts,
  removeAttempt,
  saveAttempt,
  takeOver,
} from "../attempt/attempt-store.ts";
import type { Till, TillPlace } from "../attempt/till.ts";
import type { SaleEvent, SaleState } from "./sale-state.ts";

/**
 * Stored as soon as it is opened and after every change, before anything is sent
 * (rules#idempotency-attempt-stored). What was open in this window when the till stopped opens again,
 * with its ids; else what a window that is gone has left.
 */
export function useStoredAttempt(
  { staffId, environment, training }: Till,
  { attempt, paying }: SaleState,
  dispatch: (event: SaleEvent) => void,
): void {
  const before = useBefore({ saleId: attempt?.saleId });
  const restore = useEffectEvent((open: Attempt) => {
    if (!attempt && !paying) {
      dispatch({ type: "restored", attempt: open });
    }
  });
  const store = useEffectEvent((open: Attempt) => {
    try {
      saveAttempt(open);
    } catch (error) {
      // It says so, and the payment tries to store it again before anything is sent.
      dispatch({ type: "refused", error });
    }
  });
  useLayoutEffect(() => {
    if (paying) {
      return;
    }
    if (before.saleId !== undefined && before.saleId !== attempt?.saleId) {
      forgetOpen(before.saleId);
    }
    if (attempt) {
      store(attempt);
    }
  }, [attempt, before.saleId, paying]);
  useEffect(() => {
    const place = { staffId, environment, training };
    forgetStale(place);
    const newestFirst = listAttempts()
      .filter((one) => !isConfirmed(one) && isAt(place, one))
      .reverse();
    const own = newestFirst.find(isOwn);
    if (own) {
      return restore(own);
    }
    let isGone = false;
    async function restoreLeftBehind() {
      for (const attempt of newestFirst) {
        if (!isGone && (await takeOver(attempt))) {
          return isGone ? undefined : restore(attempt);
        }
      }
    }
    // What cannot be stored as this window's is left where it is.
    restoreLeftBehind().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [staffId, environment, training]);
}

/** Of training that has ended, or long forgotten. What another person has open waits for them. */
function forgetStale(place: TillPlace): void {
  const open = listAttempts().filter((one) => !isConfirmed(one) && !isAt(place, one));
  for (const attempt of open) {
    const isOver = attempt.training && attempt.staffId === place.staffId && isOwn(attempt);
    if (isOver || Date.now() - attempt.openedAt > KEPT_MS) {
      removeAttempt(attempt.saleId);
    }
  }
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
