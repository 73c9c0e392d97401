import type { UpstreamComparison, UpstreamState } from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { type Clock, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { SealError, type Sealer } from "../../../lib/sealer.ts";
import type { listDeviations } from "../../../providers/deviation-store.ts";
import type { UpstreamConnection } from "../../../providers/upstream/upstream-call.ts";
import { type Balances, getBalances } from "../../books/wallet/index.ts";
import { toProblem } from "./connection-rules.ts";
import { queryGateway } from "./gateway-verdict.ts";
import { HOOK_SECRET_PREFIX } from "./upstream-hooks.ts";
import type { StoredUpstream } from "./upstream-store.ts";

/** An upstream's wallet beside ours; minor units of one currency. */
export interface BalanceComparison extends Balances {
  upstream: number;
  at: number;
  /** What the upstream has more than ours has, with what is held here. */
  difference: number;
}

/** What is known of an upstream, without asking anybody. */
export interface UpstreamStatus {
  connected: boolean;
  stored: StoredUpstream | undefined;
  hook: UpstreamState["hook"];
  balance: BalanceComparison | undefined;
  deviations: Awaited<ReturnType<typeof listDeviations>>;
}

/** The answer of a gateway to a query of its balance. */
interface Answered {
  /** Minor units of the wallet's currency; undefined where the answer states no legible amount. */
  available: number | undefined;
  clockDifference_ms: number | undefined;
  /** Deviations of the answer from the contract. */
  noted: string[];
}

/**
 * Queries the spendable balance, in minor units of the wallet's currency, and the difference of the clocks.
 * @throws Problem INVALID_REQUEST, SYSTEM_UNAVAILABLE
 */
export async function queryBalance(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  connection: UpstreamConnection,
): Promise<Answered> {
  const { currency } = await getBalances(db, scope);
  const there = await queryGateway(connection, currency, clock).catch((error: unknown) => {
    throw toProblem(connection.baseUrl, error);
  });
  const { balance, clockDifference_ms, noted } = there;
  if (balance.currency === undefined || balance.currency === currency) {
    return { available: balance.available, clockDifference_ms, noted };
  }
  throw new Problem(
    "INVALID_REQUEST",
    `Its wallet is kept in ${balance.currency}, yours in ${currency}.`,
    { baseUrl: `must be a gateway whose wallet is kept in ${currency}` },
  );
}

/** Columns of an answer. The balance before stays where the answer states no legible one. */
export function noteOf({ available, clockDifference_ms }: Answered, at: number) {
  const clock_difference_ms = clockDifference_ms ?? null;
  return {
    ...(available !== undefined && { balance: available, balance_at: at }),
    clock_difference_ms,
  };
}

/** @throws Problem SYSTEM_UNAVAILABLE where the answer states no legible balance */
export function requireBalance({ available, noted }: Answered): number {
  if (available !== undefined) return available;
  const why = noted.join("; ");
  throw new Problem("SYSTEM_UNAVAILABLE", `It answers, but its balance cannot be read: ${why}.`);
}

export async function compareBalances(
  db: Db,
  scope: Scope,
  { available, at }: { available: number; at: number },
): Promise<BalanceComparison> {
  const ours = await getBalances(db, scope);
  return { ...ours, upstream: available, at, difference: available - ours.available - ours.held };
}

/** Until a secret is entered, one that nobody knows is kept. */
export function hookOf(sealer: Sealer, stored: StoredUpstream | undefined): UpstreamState["hook"] {
  if (!stored?.hasHook || stored.hookSecretSealed === undefined) return "NONE";
  try {
    const isEntered = sealer.open(stored.hookSecretSealed).startsWith(HOOK_SECRET_PREFIX);
    return isEntered ? "READY" : "NO_SECRET";
  } catch (error) {
    if (error instanceof SealError) return "NO_SECRET";
    throw error;
  }
}

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
