import type { UpstreamComparison, UpstreamState } from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import { SealError, type Sealer } from "../../../lib/sealer.ts";
import type { listDeviations } from "../../../providers/deviation-store.ts";
import type { BalanceAnswer, ProviderKind } from "../../../providers/kind.ts";
import type { ProviderConnection } from "../../../providers/provider-call.ts";
import { type Balances, getBalances } from "../../books/wallet/index.ts";
import { toProblem, toReason } from "./connection-rules.ts";
import { HOOK_SECRET_PREFIX } from "./upstream-hooks.ts";
import { listUpstreams, type ProviderRef, type StoredUpstream } from "./upstream-store.ts";

/** Both balances are in minor units of the same currency. */
export interface BalanceComparison extends Balances {
  upstream: number;
  at: number;
  /** Last known balances of the shop's other connected providers. */
  others: number;
  /** The balances of all providers minus the sum of our available balance and held amounts. */
  difference: number;
}

export interface UpstreamStatus {
  connected: boolean;
  stored: StoredUpstream | undefined;
  hook: UpstreamState["hook"];
  balance: BalanceComparison | undefined;
  deviations: Awaited<ReturnType<typeof listDeviations>>;
}

interface BalanceResponse extends Omit<BalanceAnswer, "balance"> {
  /** Balance in minor units of the wallet's currency; undefined if unreadable. */
  available: number | undefined;
}

/** @throws Problem INVALID_REQUEST, SYSTEM_UNAVAILABLE */
export async function queryBalance(
  db: Db,
  scope: Scope,
  connection: ProviderConnection & { kind: ProviderKind },
): Promise<BalanceResponse> {
  const { currency } = await getBalances(db, scope);
  const there = await connection.kind.queryBalance(connection, currency).catch((error: unknown) => {
    throw toProblem(connection.baseUrl, error);
  });
  const { balance, clockDifference_ms, noted } = there;
  if (balance.currency === undefined || balance.currency === currency) {
    return { available: balance.available, clockDifference_ms, noted };
  }
  throw new Problem(
    "INVALID_REQUEST",
    `Its wallet is kept in ${balance.currency}, yours in ${currency}.`,
    {
      baseUrl: `must be a gateway whose wallet is kept in ${currency}`,
      ...toReason("CURRENCY", { theirs: balance.currency, ours: currency }),
    },
  );
}

/** Returns the columns to store. If the balance is unreadable, the stored balance stays. */
export function toBalanceNote({ available, clockDifference_ms }: BalanceResponse, at: number) {
  const clock_difference_ms = clockDifference_ms ?? null;
  return {
    ...(available !== undefined && { balance: available, balance_at: at }),
    clock_difference_ms,
  };
}

/** @throws Problem SYSTEM_UNAVAILABLE if the balance is unreadable */
export function requireBalance({ available, noted }: BalanceResponse): number {
  if (available !== undefined) return available;
  const why = noted.join("; ");
  throw new Problem("SYSTEM_UNAVAILABLE", `It answers, but its balance cannot be read: ${why}.`);
}

export async function compareBalances(
  db: Db,
  ref: ProviderRef,
  { available, at }: { available: number; at: number },
): Promise<BalanceComparison> {
  const ours = await getBalances(db, ref);
  const others = (await listUpstreams(db, ref))
    .filter(({ providerId, keySealed }) => providerId !== ref.providerId && keySealed !== undefined)
    .reduce((sum, { balance }) => sum + (balance?.available ?? 0), 0);
  const difference = available + others - ours.available - ours.held;
  return { ...ours, upstream: available, others, at, difference };
}

/** Returns the webhook state. Until the owner enters the secret, a random placeholder is stored. */
export function getHookState(
  sealer: Sealer,
  stored: StoredUpstream | undefined,
): UpstreamState["hook"] {
  if (!stored?.hasHook || stored.hookSecretSealed === undefined) return "NONE";
  try {
    const isEntered = sealer.open(stored.hookSecretSealed).startsWith(HOOK_SECRET_PREFIX);
    return isEntered ? "READY" : "NO_SECRET";
  } catch (error) {
    if (error instanceof SealError) return "NO_SECRET";
    throw error;
  }
}

export function toComparison({ at, others, ...balance }: BalanceComparison): UpstreamComparison {
  return { comparedAt: toTimestamp(at), ...balance, ...(others !== 0 && { others }) };
}

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
    ...(stored && { providerId: stored.providerId }),
    kind: stored?.kind ?? "gateway",
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
