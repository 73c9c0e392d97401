import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PosSession, StaffName } from "../../../server/contract/pos/staff.ts";
import { ApiError, UnreachableError } from "../../lib/api-client.ts";
import { signIn } from "./api/session-queries.ts";
import { dropLock, keepLock } from "./pin-locks.ts";

/** Some three quarters of a minute: who has gone by then is not let in. */
const MOST_TRIES = 12;

interface Typed {
  readonly who: StaffName;
  readonly pin: string;
  /** Aborts when it is no longer wanted. */
  readonly signal: AbortSignal;
}

interface SignInOptions {
  readonly onSignedIn: (session: PosSession) => void;
  /** The gateway let them in or did not. */
  readonly onAnswered: () => void;
}

interface SignInAttempt {
  readonly attempt: Pick<
    UseMutationResult<PosSession, Error, Typed>,
    "error" | "failureReason" | "isIdle" | "isPending" | "variables"
  >;
  readonly send: (who: StaffName, pin: string) => void;
  /** Another person is to sign in. */
  readonly drop: () => void;
  /** Something else is typed: what still waits for the gateway is not sent again. */
  readonly retype: () => void;
}

/**
 * Sends a PIN. While the gateway does not answer it is sent again: who typed it while the gateway was starting is
 * let in when it has started. Each that arrives counts as one guess.
 */
export function useSignIn({ onSignedIn, onAnswered }: SignInOptions): SignInAttempt {
  const [sent, setSent] = useState<AbortController>();
  // The one before, when another is sent, and the last when the page goes.
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

/** When a locked person can try again. */
export function lockEnd(error: unknown): number | undefined {
  const until =
    error instanceof ApiError && error.errorCode === "PIN_LOCKED"
      ? Date.parse(error.fields.lockedUntil ?? "")
      : Number.NaN;
  return Number.isNaN(until) ? undefined : until;
}
