import type { UpstreamState } from "../../contract/pos/upstream.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { SealError, type Sealer } from "../../lib/sealer.ts";
import type { listDeviations } from "../../suppliers/deviation-store.ts";
import type { UpstreamConnection } from "../../suppliers/upstream/upstream-call.ts";
import { type Balances, getBalances } from "../wallet/index.ts";
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

/** What a gateway answered to a query of its balance. */
interface Answered {
  available: number;
  clockDifference_ms: number | undefined;
}

/**
 * What can be spent there, minor units of the wallet's currency, and how far its clock is off.
 * @throws Problem INVALID_REQUEST, SYSTEM_UNAVAILABLE
 */
export async function queryBalance(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  connection: UpstreamConnection,
): Promise<Answered> {
  const there = await queryGateway(connection, clock).catch((error: unknown) => {
    throw toProblem(connection.baseUrl, error);
  });
  const { balance, clockDifference_ms } = there;
  const { currency } = await getBalances(db, scope);
  if (balance.currency === currency) {
    return { available: balance.availableBalance, clockDifference_ms };
  }
  throw new Problem(
    "INVALID_REQUEST",
    `Its wallet is kept in ${balance.currency}, yours in ${currency}.`,
    { baseUrl: `must be a gateway whose wallet is kept in ${currency}` },
  );
}

/** What is noted of an answer. */
export function noteOf({ available, clockDifference_ms }: Answered, at: number) {
  const clock_difference_ms = clockDifference_ms ?? null;
  return { balance: available, balance_at: at, clock_difference_ms };
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
