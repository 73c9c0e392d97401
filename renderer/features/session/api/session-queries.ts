import { queryOptions } from "@tanstack/react-query";
import type { PosSession, SignInInput, StaffNames } from "../../../../server/contract/pos/staff.ts";
import { request } from "../../../lib/api-client.ts";

const ASK_AGAIN_MS = 10_000;

export function staffNamesQuery() {
  return queryOptions({
    queryKey: ["staff-names"],
    queryFn: ({ signal }) => request<StaffNames>("GET", "/pos/staff/names", { signal }),
    staleTime: 0,
    // The lock screen hears no live events: this is how it learns that the gateway is away.
    refetchInterval: ASK_AGAIN_MS,
  });
}

export function signIn(input: SignInInput): Promise<PosSession> {
  return request<PosSession>("POST", "/pos/session", { body: input });
}

/** @param reason `idle` when the till locks by itself */
export function signOut(reason?: "idle"): Promise<void> {
  return request<void>("DELETE", "/pos/session", { query: { reason } });
}

/** Tells the gateway that somebody is at the till. */
export function reportActivity(): Promise<void> {
  return request<void>("POST", "/pos/session/activity");
}

/** Begins or ends training, for this session. */
export function train(on: boolean): Promise<PosSession> {
  return request<PosSession>("POST", "/pos/session/training", { body: { on } });
}
