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
  // The lock screen has no event stream, so polling detects an unreachable gateway.
  return { ...operationQuery(staffOperations.listNames), refetchInterval: ASK_AGAIN_MS };
}

/** Long, because checking a PIN is slow by design: many seconds on a busy machine. */
const SIGN_IN_WITHIN_MS = 30_000;

export function signIn(input: SignInInput, signal: AbortSignal): Promise<PosSession> {
  return call(sessionOperations.signIn, { body: input, signal, timeoutMs: SIGN_IN_WITHIN_MS });
}

/** @param reason `idle` for the automatic lock */
export async function signOut(reason?: "idle"): Promise<void> {
  await call(sessionOperations.signOut, { query: { reason } });
}

/** Reports activity. Without these reports, the gateway ends the session. */
export async function reportActivity(): Promise<void> {
  await call(sessionOperations.touch);
}

export function train(on: boolean): Promise<PosSession> {
  return call(sessionOperations.train, { body: { on } });
}
