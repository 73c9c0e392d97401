import {
  GATEWAY_TESTS,
  type GatewayVerdict,
  type UpstreamComparison,
  type UpstreamState,
} from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { SealError, type Sealer } from "../../../lib/sealer.ts";
import type { listDeviations } from "../../../providers/deviation-store.ts";
import type { BalanceAnswer, ProviderKind } from "../../../providers/kind.ts";
import type { ProviderFault } from "../../../providers/provider.ts";
import {
  type ProviderConnection,
  ProviderRefusal,
  ProviderUnreached,
} from "../../../providers/provider-call.ts";
import { type Balances, getBalances, notePart } from "../../books/wallet/index.ts";
import { isTroubled, noteChoice } from "../../catalog/catalog/index.ts";
import {
  requireConnected,
  type StoredConnection,
  toProblem,
  toReason,
} from "./connection-rules.ts";
import { HOOK_SECRET_PREFIX } from "./upstream-hooks.ts";
import {
  findUpstream,
  listUpstreams,
  noteUpstream,
  type ProviderRef,
  type StoredUpstream,
} from "./upstream-store.ts";

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

interface ProviderBalancesDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** @throws SealError if the key cannot be decrypted */
  findConnection(ref: ProviderRef): Promise<StoredConnection | undefined>;
  report(ref: ProviderRef, fault: ProviderFault): Promise<void>;
}

/** Reads the balances at the providers, and stores them. */
export class ProviderBalances {
  readonly #deps: ProviderBalancesDeps;
  readonly #rechecks = new Map<string, Promise<number | undefined>>();

  constructor(deps: ProviderBalancesDeps) {
    this.#deps = deps;
  }

  async query(ref: ProviderRef, connection: StoredConnection) {
    const { db, transactor, clock } = this.#deps;
    const answered = await queryBalance(db, ref, connection);
    const at = clock.now();
    await transactor.transact(ref.accountId, async (tx) => {
      await requireConnected(tx, ref, connection);
      const stored = await findUpstream(tx, ref);
      const wasTroubled = isTroubled(stored?.fault, stored?.balance?.at);
      // Without new money the next sale fails again, so the fault counts until a higher balance.
      const isStillShort =
        wasTroubled &&
        stored?.fault?.kind === "FUNDS_SHORT" &&
        stored.balance !== undefined &&
        answered.available !== undefined &&
        answered.available <= stored.balance.available;
      const note = { ...toBalanceNote(answered, at), ...(isStillShort && { fault_at: at }) };
      await noteUpstream(tx, ref, note, at);
      if (answered.available !== undefined) await notePartOf(tx, ref, answered.available);
      if (wasTroubled && !isStillShort) await noteChoice(tx, ref, { subject: "upstream", at });
    });
    return { answered, at };
  }

  /**
   * Reads a balance that does not cover a purchase again, because the owner may have paid the
   * provider since the last reading. A balance that is still too low is reported. If it cannot be
   * read, the provider decides about the purchase.
   * @param cost minor units of the wallet's currency
   */
  async recheck(ref: ProviderRef, cost: number): Promise<void> {
    const { accountId, environment, providerId } = ref;
    const key = `${accountId}/${environment}/${providerId}`;
    const reading = this.#rechecks.get(key) ?? this.#readAgain(ref, key);
    this.#rechecks.set(key, reading);
    const available = await reading;
    if (available === undefined || available <= 0 || available >= cost) return;
    const message = "The balance at the provider does not cover a purchase.";
    await this.#deps.report(ref, { kind: "FUNDS_SHORT", message });
  }

  async #readAgain(ref: ProviderRef, key: string): Promise<number | undefined> {
    const { transactor, log, findConnection } = this.#deps;
    try {
      const connection = await findConnection(ref);
      const available = connection && (await this.query(ref, connection)).answered.available;
      if (available !== undefined) return available;
    } catch (error) {
      log.warn({ err: error }, "the balance at a provider cannot be read");
    } finally {
      this.#rechecks.delete(key);
    }
    await transactor.transact(ref.accountId, (tx) => notePart(tx, ref, undefined));
    return undefined;
  }
}

/** Notes the provider's part of the wallet. With one provider, the wallet has no parts. */
export async function notePartOf(tx: Tx, ref: ProviderRef, available: number): Promise<void> {
  const { accountId, environment }: Scope = ref;
  const isOnly = (await listUpstreams(tx, { accountId, environment })).length < 2;
  await notePart(tx, ref, isOnly ? undefined : available);
}

type GatewayTest = (typeof GATEWAY_TESTS)[number];
type Outcome = GatewayVerdict["tests"][number]["outcome"];

/** Maximum clock difference. Above it, each gateway regards signatures of the other as expired. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE;

export async function judgeGateway(
  connection: ProviderConnection & { kind: ProviderKind },
  currency: string,
): Promise<GatewayVerdict> {
  const { kind } = connection;
  const isEncrypted = connection.baseUrl.startsWith("https:");
  const outcomes: Partial<Record<GatewayTest, Outcome>> = {
    ENCRYPTED: isEncrypted ? "GOOD" : "WARNS",
  };
  const facts: Partial<GatewayVerdict> = {};
  try {
    const { balance, noted, clockDifference_ms } = await kind.queryBalance(connection, currency);
    outcomes.ANSWERS = "GOOD";
    outcomes.KEY_ACCEPTED = "GOOD";
    // A private network may rehearse going live with a test key.
    const asTestKey = connection.allowPrivate ? "WARNS" : "BAD";
    outcomes.KEY_LIVE = kind.isTest(connection) ? asTestKey : "GOOD";
    outcomes.CURRENCY_EQUAL = judgeCurrency(balance.currency, currency);
    if (balance.available === undefined) {
      outcomes.ANSWERS = "BAD";
      facts.message = `Its balance cannot be read: ${noted.join("; ")}.`;
    }
    outcomes.CLOCKS_EQUAL = judgeClocks(clockDifference_ms);
    outcomes.HAS_OFFERS = (await kind.hasOffers(connection)) ? "GOOD" : "BAD";
    if (balance.currency !== undefined) facts.theirCurrency = balance.currency;
    if (clockDifference_ms !== undefined) {
      facts.clockDifference_s = Math.round(clockDifference_ms / SECOND);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    facts.message = error.message;
    const answered = error instanceof ProviderRefusal && error.errorCode !== "NOT_FOUND";
    outcomes.ANSWERS = answered ? "GOOD" : "BAD";
    if (answered) outcomes.KEY_ACCEPTED = "BAD";
    if (error instanceof ProviderUnreached) outcomes.ENCRYPTED = isEncrypted ? "UNKNOWN" : "WARNS";
  }
  const tests = GATEWAY_TESTS.map((test) => ({ test, outcome: outcomes[test] ?? "UNKNOWN" }));
  const usable = tests.every(({ outcome }) => outcome === "GOOD" || outcome === "WARNS");
  return { tests, usable, currency, ...facts };
}

/**
 * Compares the wallet's currency with ours. A gateway that states no currency only causes a
 * warning, because its offers state their currency.
 */
function judgeCurrency(theirs: string | undefined, ours: string): Outcome {
  if (theirs === undefined) return "WARNS";
  return theirs === ours ? "GOOD" : "BAD";
}

function judgeClocks(difference_ms: number | undefined): Outcome {
  if (difference_ms === undefined) return "WARNS";
  return Math.abs(difference_ms) <= MAX_CLOCK_DIFFERENCE_MS ? "GOOD" : "BAD";
}
