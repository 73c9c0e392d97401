import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PosSession, StaffName } from "../../../server/contract/pos/staff.ts";
import { hasErrorCode, UnreachableError } from "../../lib/api-client.ts";
import { hasKeys, readJson } from "../../lib/browser-storage.ts";
import { signIn } from "./api/session-queries.ts";

/**
 * Maximum number of requests, within about 45 seconds. Later the person may have left and must not
 * be signed in.
 */
const MOST_TRIES = 12;

interface Typed {
  readonly who: StaffName;
  readonly pin: string;
  readonly signal: AbortSignal;
}

interface SignInOptions {
  readonly onSignedIn: (session: PosSession) => void;
  readonly onAnswered: () => void;
}

interface SignInAttempt {
  readonly attempt: Pick<
    UseMutationResult<PosSession, Error, Typed>,
    "error" | "failureReason" | "isIdle" | "isPending" | "variables"
  >;
  readonly send: (who: StaffName, pin: string) => void;
  /** Called before another person signs in. */
  readonly drop: () => void;
  /** Cancels the request when the person types again. */
  readonly retype: () => void;
}

/**
 * Repeats a request until the gateway answers, so that people can sign in while the gateway starts.
 * Each request that the gateway receives counts as an attempt.
 */
export function useSignIn({ onSignedIn, onAnswered }: SignInOptions): SignInAttempt {
  const [sent, setSent] = useState<AbortController>();
  // Aborts a request when the next one starts or the page closes.
  useEffect(() => () => sent?.abort(), [sent]);
  const attempt = useMutation({
    mutationFn: ({ who, pin, signal }: Typed) => signIn({ staffId: who.staffId, pin }, signal),
    retry: (count, error) => count < MOST_TRIES && error instanceof UnreachableError,
    onSuccess: (session) => {
      dropLock(session.staff.staffId);
      onSignedIn(session);
    },
    onError: (error, { who }) => {
      const until = lockEnd(error);
      if (until !== undefined) {
        keepLock(who.staffId, until);
      }
    },
    onSettled: (_session, _error, { signal }) => {
      if (!signal.aborted) {
        onAnswered();
      }
    },
  });
  function drop() {
    sent?.abort();
    attempt.reset();
  }
  return {
    attempt,
    send(who, pin) {
      const wanted = new AbortController();
      setSent(wanted);
      attempt.mutate({ who, pin, signal: wanted.signal });
    },
    drop,
    retype: attempt.failureReason ? drop : attempt.reset,
  };
}

export function lockEnd(error: unknown): number | undefined {
  const until = hasErrorCode(error, "PIN_LOCKED")
    ? Date.parse(error.fields.lockedUntil ?? "")
    : Number.NaN;
  return Number.isNaN(until) ? undefined : until;
}

const STORAGE_KEY = "tillgate.pin-locks";

/**
 * Returns the lock's end as the gateway last stated it. The lock is stored and survives a reload.
 */
export function findLock(staffId: string | undefined): number | undefined {
  return staffId === undefined ? undefined : readLocks()[staffId];
}

function keepLock(staffId: string, until: number): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readLocks(), [staffId]: until }));
  } catch {
    // Without browser storage, the gateway repeats the lock at the next attempt.
  }
}

function readLocks(): Record<string, number> {
  const stored = readJson(STORAGE_KEY, "sessionStorage");
  return hasKeys(stored) ? (stored as Record<string, number>) : {};
}

function dropLock(staffId: string): void {
  const { [staffId]: _, ...others } = readLocks();
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(others));
  } catch {
    // Without browser storage, no lock is stored.
  }
}
