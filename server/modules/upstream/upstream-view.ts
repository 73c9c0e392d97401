import type { UpstreamComparison, UpstreamState } from "../../contract/pos/upstream.ts";
import { toTimestamp } from "../../lib/clock.ts";
import type { BalanceComparison, UpstreamStatus } from "./upstream-service.ts";

export function toComparison({ at, ...balance }: BalanceComparison): UpstreamComparison {
  return { comparedAt: toTimestamp(at), ...balance };
}

/** What an owner may see of an upstream. */
export function toUpstreamState({ connected, stored, balance }: UpstreamStatus): UpstreamState {
  const { fault, syncedAt, syncReport, syncFailure } = stored ?? {};
  return {
    connected,
    baseUrl: stored?.baseUrl ?? "",
    allowPrivate: stored?.allowPrivate ?? false,
    ...(stored && { connectedAt: toTimestamp(stored.connectedAt) }),
    ...(balance && { balance: toComparison(balance) }),
    ...(syncedAt !== undefined && { syncedAt: toTimestamp(syncedAt) }),
    ...(syncReport && { sync: syncReport }),
    ...(syncFailure && { syncFailure: { ...syncFailure, at: toTimestamp(syncFailure.at) } }),
    ...(fault && { fault: { ...fault, at: toTimestamp(fault.at) } }),
  };
}
