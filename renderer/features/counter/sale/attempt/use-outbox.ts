import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { subscribeConnection } from "../../../../lib/connection-store.ts";
import {
  type ConfirmedAttempt,
  isOwn,
  isPaidBy,
  listConfirmedAttempts,
  refusalOf,
  removeAttempt,
  takeOver,
} from "./attempt-store.ts";
import { RETRY_MS, repeatAttempt, type SendResult, sendAttempt } from "./send-attempt.ts";
import type { TillPlace } from "./till.ts";

/** A paid sale without an answer, or with a permanent refusal. */
export interface OutboxEntry {
  readonly attempt: ConfirmedAttempt;
  readonly error?: unknown;
}

export interface Outbox {
  readonly entries: readonly OutboxEntry[];
  send(attempt: ConfirmedAttempt): Promise<SendResult>;
  keep(attempt: ConfirmedAttempt): void;
  dismiss(saleId: string): void;
}

/**
 * Sends paid sales, and repeats each request with the same ids until the gateway answers. Only the
 * signed-in person's sales are sent, because a sale counts for this person and shift. Each window
 * sends its own sales and those of closed windows.
 */
export function useOutbox(place: TillPlace, onTakenOver: (saleId: string) => void): Outbox {
  const queryClient = useQueryClient();
  const [entries, setEntries] = useState<readonly OutboxEntry[]>(() =>
    listPaidHere(place).map(entryOf),
  );

  const send = useCallback(
    (attempt: ConfirmedAttempt) => sendAttempt(queryClient, attempt),
    [queryClient],
  );

  const drop = useCallback((saleId: string) => {
    setEntries((now) => now.filter(({ attempt }) => attempt.saleId !== saleId));
  }, []);

  const retry = useCallback(
    async (attempt: ConfirmedAttempt) => {
      const mutationKey = retryKey(attempt.saleId);
      if (queryClient.isMutating({ mutationKey }) > 0) {
        return;
      }
      const sending = queryClient
        .getMutationCache()
        .build(queryClient, { mutationKey, mutationFn: () => repeatAttempt(queryClient, attempt) });
      const result = await sending.execute(undefined);
      if (result.kind === "answered") {
        drop(attempt.saleId);
      } else if (result.kind === "refused") {
        setEntries((now) =>
          now.map((entry) =>
            entry.attempt.saleId === attempt.saleId ? { attempt, error: result.error } : entry,
          ),
        );
      }
    },
    [queryClient, drop],
  );

  useTakingOver(place, (attempt) => {
    setEntries((now) => [...now, entryOf(attempt)]);
    onTakenOver(attempt.saleId);
  });
  useRetries(entries, retry);

  const keep = useCallback((attempt: ConfirmedAttempt) => {
    setEntries((now) => [...now, { attempt }]);
  }, []);

  const dismiss = useCallback(
    (saleId: string) => {
      removeAttempt(saleId);
      drop(saleId);
    },
    [drop],
  );

  return { entries, send, keep, dismiss };
}

function useTakingOver(
  { environment, staffId, training }: TillPlace,
  onTaken: (attempt: ConfirmedAttempt) => void,
): void {
  const take = useEffectEvent(onTaken);
  useEffect(() => {
    const place = { environment, staffId, training };
    let isGone = false;
    async function lookAfter() {
      for (const attempt of listConfirmedAttempts()) {
        if (!isGone && isPaidBy(place, attempt) && !isOwn(attempt) && (await takeOver(attempt))) {
          take(attempt);
        }
      }
    }
    void lookAfter();
    const timer = setInterval(() => void lookAfter(), RETRY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [environment, staffId, training]);
}

function useRetries(
  entries: readonly OutboxEntry[],
  retry: (attempt: ConfirmedAttempt) => Promise<void>,
): void {
  const isWaiting = entries.some(({ error }) => error === undefined);
  useEffect(() => {
    if (!isWaiting) {
      return;
    }
    const retryAll = () => {
      for (const { attempt, error } of entries) {
        if (error === undefined) {
          void retry(attempt);
        }
      }
    };
    retryAll();
    const timer = setInterval(retryAll, RETRY_MS);
    const stopListening = subscribeConnection(retryAll);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [entries, isWaiting, retry]);
}

/** With the same key, a second request waits for the answer to the first. */
function retryKey(saleId: string): readonly string[] {
  return ["unanswered-sale", saleId];
}

/** This window's paid sales of the person that are unanswered or refused. */
export function listPaidHere(place: TillPlace): ConfirmedAttempt[] {
  return listConfirmedAttempts().filter((attempt) => isPaidBy(place, attempt) && isOwn(attempt));
}

function entryOf(attempt: ConfirmedAttempt): OutboxEntry {
  return { attempt, error: refusalOf(attempt) };
}
