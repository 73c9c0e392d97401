import { queryOptions } from "@tanstack/react-query";
import {
  type PosSession,
  type SignInInput,
  sessionOperations,
  staffOperations,
} from "../../../../server/contract/pos/staff.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

const ASK_AGAIN_MS = 10_000;

export function staffNamesQuery() {
  return queryOptions({
    ...operationQuery(staffOperations.listNames),
    staleTime: 0,
    // The lock screen hears no live events: this is how it learns that the gateway is away.
    refetchInterval: ASK_AGAIN_MS,
  });
}

/** A PIN takes the gateway tenths of a second of a processor on purpose: on a busy machine, many seconds. */
const SIGN_IN_WITHIN_MS = 30_000;

export function signIn(input: SignInInput, signal: AbortSignal): Promise<PosSession> {
  return call(sessionOperations.signIn, { body: input, signal, timeoutMs: SIGN_IN_WITHIN_MS });
}

/** @param reason `idle` when the till locks by itself */
export async function signOut(reason?: "idle"): Promise<void> {
  await call(sessionOperations.signOut, { query: { reason } });
}

/** Notifies the gateway that the till is touched. */
export async function reportActivity(): Promise<void> {
  await call(sessionOperations.touch);
}

/** Begins or ends training, for this session. */
export function train(on: boolean): Promise<PosSession> {
  return call(sessionOperations.train, { body: { on } });
}
