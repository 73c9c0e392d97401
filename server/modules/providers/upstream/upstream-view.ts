import type { UpstreamComparison, UpstreamState } from "../../../contract/pos/upstream.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import type { BalanceComparison, UpstreamStatus } from "./upstream-status.ts";

export function toComparison({ at, ...balance }: BalanceComparison): UpstreamComparison {
  return { comparedAt: toTimestamp(at), ...balance };
}

/** What an owner may see of an upstream. */
export function toUpstreamState({
  connected,
  stored,
  hook,
  balance,
  deviations,
}: UpstreamStatus): UpstreamState {
  const { fault, syncedAt, syncReport, syncFailure } = stored ?? {};
  return {
    connected,
    baseUrl: stored?.baseUrl ?? "",
    allowPrivate: stored?.allowPrivate ?? false,
    approvesCatalog: stored?.approvesCatalog ?? true,
    hook,
    ...(stored?.hookBaseUrl !== undefined && { hookBaseUrl: stored.hookBaseUrl }),
    ...(stored?.clockDifference_ms !== undefined && {
      clockDifference_s: Math.round(stored.clockDifference_ms / SECOND),
    }),
    ...(stored && { connectedAt: toTimestamp(stored.connectedAt) }),
    ...(balance && { balance: toComparison(balance) }),
    ...(syncedAt !== undefined && { syncedAt: toTimestamp(syncedAt) }),
    ...(syncReport && { sync: syncReport }),
    ...(syncFailure && { syncFailure: { ...syncFailure, at: toTimestamp(syncFailure.at) } }),
    ...(deviations.length > 0 && {
      deviations: deviations.map(({ firstAt, lastAt, ...deviation }) => ({
        ...deviation,
        firstAt: toTimestamp(firstAt),
        lastAt: toTimestamp(lastAt),
      })),
    }),
    ...(fault && { fault: { ...fault, at: toTimestamp(fault.at) } }),
  };
}
