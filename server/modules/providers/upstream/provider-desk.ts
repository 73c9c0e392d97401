import { sql } from "kysely";
import {
  type BrandHealth,
  COMPARED_PRODUCTS,
  HEALTH_BRANDS,
  HEALTH_PURCHASES,
  type ProviderCosts,
  type ProviderHealth,
  type ProviderList,
  type ProviderSummary,
  UNCLEAR_PRODUCTS,
  type UnclearProducts,
} from "../../../contract/pos/providers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import {
  DAY_MS,
  QUARTER_MS,
  readFigureBounds,
  splitBrandValue,
  UNSOUND,
} from "../../../db/figure-sums.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { type Clock, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import {
  type CatalogChoices,
  type CatalogService,
  compareCosts,
  costOf,
  getLargestAmount,
  getSoldBrand,
  isTroubled,
  type ProductCosts,
  providerOf,
  readRouting,
  sendUnitOf,
} from "../../catalog/catalog/index.ts";
import { listPauses, MOVED_TO } from "../../purchases/purchases/index.ts";
import { listUpstreams, providerNames, type StoredUpstream } from "./upstream-store.ts";

interface ProviderDeskDeps {
  db: Db;
  clock: Clock;
  catalog: CatalogService;
}

interface AskedCosts {
  brand?: string | undefined;
  offerId?: string | undefined;
}

/** Describes the providers of a shop to its owner. No sale reads this. */
export class ProviderDesk {
  readonly #deps: ProviderDeskDeps;

  constructor(deps: ProviderDeskDeps) {
    this.#deps = deps;
  }

  async list(scope: Scope): Promise<ProviderList> {
    const { db, clock, catalog } = this.#deps;
    const all = await listUpstreams(db, scope);
    const outcomes = await readRecentOutcomes(db, scope, all.length);
    const spending = await readDailySpending(db, scope);
    const unknown = await listUnknownOutcomes(db, scope, clock.now());
    const supplied = await catalog.getSupplied(scope);
    const products = new Map<string, number>();
    for (const offer of supplied.offers) {
      const id = providerOf(offer);
      products.set(id, (products.get(id) ?? 0) + 1);
    }
    const nameOf = new Map(supplied.brands.map(({ brand, brandName }) => [brand, brandName]));
    const hidden = [...supplied.hidden.values()].map(({ stated }) => stated);
    const shared = Map.groupBy(hidden, (offer) => getSoldBrand(offer, supplied.choices));
    const { orders, joined } = await readRouting(db, scope);
    const isSeveral = all.length > 1;
    const paused = (await listPauses(db, scope))
      .filter(({ pausedByHand }) => !pausedByHand)
      .map((pause) => ({ ...pause, brandName: nameOf.get(pause.brand) ?? pause.brand }));
    return {
      ...(await getWalletUnit(db, scope.accountId)),
      list: all.map((stored) => {
        const { providerId } = stored;
        const facts = { providerId, outcomes, unknown };
        const balance = stored.balance?.available;
        const dailySpending = spending.get(providerId);
        return {
          ...summarise(stored),
          products: products.get(providerId) ?? 0,
          health: computeHealth({ ...facts, balance, dailySpending }),
          brands: isSeveral ? computeBrandHealth({ ...facts, paused }) : [],
        };
      }),
      orders: orders.map((order) => {
        const brandName = nameOf.get(order.brand ?? "");
        return { ...order, ...(brandName !== undefined && { brandName }) };
      }),
      shared: [...shared]
        .map(([brand, offers]) => ({
          brand,
          brandName: nameOf.get(brand) ?? brand,
          families: [...new Set(offers.map(({ productType }) => productType))].toSorted(),
          countries: [...new Set(offers.map(({ country }) => country))].toSorted(),
        }))
        .toSorted(byBrandName),
      brands: isSeveral
        ? supplied.brands
            .map(({ brand, brandName }) => ({ brand, brandName }))
            .toSorted(byBrandName)
        : [],
      joined: Object.entries(joined).map(([brand, as]) => ({
        brand,
        brandName: nameOf.get(brand) ?? brand,
        as,
        asName: nameOf.get(as) ?? as,
      })),
      unclear: supplied.unclear.filter((group) => !hasChoice(group, supplied.choices)).length,
    };
  }

  /** Lists offers that could be one product, those without the owner's choice first. */
  async listUnclear(scope: Scope): Promise<UnclearProducts> {
    const { unclear, choices, brands } = await this.#deps.catalog.getSupplied(scope);
    const nameOf = new Map(brands.map(({ brand, brandName }) => [brand, brandName]));
    const rank = (group: readonly Offer[]) => (hasChoice(group, choices) ? 1 : 0);
    const groups = unclear
      .toSorted((one, other) => rank(one) - rank(other))
      .slice(0, UNCLEAR_PRODUCTS);
    return {
      ...(await getWalletUnit(this.#deps.db, scope.accountId)),
      list: groups.flatMap((group) => {
        const [head] = group;
        if (!head) return [];
        const brand = getSoldBrand(head, choices);
        const { productType: family, country } = head;
        const { currency, currencyDivisor } = sendUnitOf(head);
        const send = { amount: getLargestAmount(head), currency, currencyDivisor };
        const brandName = nameOf.get(brand) ?? brand;
        return {
          brandName,
          family,
          country,
          send,
          offers: group.map((one) => toChoice(one, choices)),
        };
      }),
    };
  }

  /** @throws Problem INVALID_REQUEST without a brand and a product */
  async compareCosts(scope: Scope, asked: AskedCosts): Promise<ProviderCosts> {
    const { db, catalog } = this.#deps;
    const { offers, choices } = await catalog.getSupplied(scope);
    const { offerId } = asked;
    if (offerId === undefined && asked.brand === undefined) {
      throw new Problem("INVALID_REQUEST", "brand is required.", { brand: "is required" });
    }
    const one = offers.find((offer) => offer.offerId === offerId);
    const brand = asked.brand ?? (one && getSoldBrand(one, choices)) ?? "";
    const list = compareCosts(offers, choices, brand)
      .filter(({ product }) => offerId === undefined || product.offerId === offerId)
      .toSorted(byAmount)
      .slice(0, COMPARED_PRODUCTS);
    const nameOf = await providerNames(db, scope);
    return {
      ...(await getWalletUnit(db, scope.accountId)),
      list: list.map((costs) => toRecord(costs, nameOf)),
    };
  }
}

/** Returns whether the owner chose an equal for one of these offers. */
function hasChoice(group: readonly Offer[], { routing }: CatalogChoices): boolean {
  return group.some(({ offerId }) => routing.products?.[offerId] !== undefined);
}

function toChoice(
  offer: Offer,
  { routing }: CatalogChoices,
): UnclearProducts["list"][number]["offers"][number] {
  const { offerId, notes } = offer;
  const as = routing.products?.[offerId];
  const facts = { offerId, providerId: providerOf(offer), notes, cost: costOf(offer) };
  return { ...facts, ...(as !== undefined && { as }) };
}

function byBrandName(one: { brandName: string }, other: { brandName: string }): number {
  return one.brandName.localeCompare(other.brandName);
}

function summarise(stored: StoredUpstream) {
  const { providerId, name, kind, baseUrl, balance } = stored;
  return {
    providerId,
    name,
    kind,
    baseUrl,
    state: getState(stored),
    ...(balance && { balance: balance.available, balanceAt: toTimestamp(balance.at) }),
  };
}

function getState(stored: StoredUpstream): ProviderSummary["state"] {
  if (stored.keySealed === undefined) return "DISCONNECTED";
  if (stored.pausedAt !== undefined) return "PAUSED";
  if (stored.replacedAt !== undefined) return "NO_CATALOG";
  return isTroubled(stored.fault, stored.balance?.at) ? "TROUBLED" : "WORKING";
}

function byAmount({ product: one }: ProductCosts, { product: other }: ProductCosts): number {
  const [a, b] = [sendUnitOf(one), sendUnitOf(other)];
  return (
    one.country.localeCompare(other.country) ||
    a.currency.localeCompare(b.currency) ||
    getLargestAmount(one) - getLargestAmount(other)
  );
}

function toRecord(
  { product, used, costs }: ProductCosts,
  nameOf: ReadonlyMap<string, string>,
): ProviderCosts["list"][number] {
  const { offerId, productType: family, country } = product;
  const { currency, currencyDivisor } = sendUnitOf(product);
  const send = { amount: getLargestAmount(product), currency, currencyDivisor };
  const named = costs.map((one) => ({ ...one, name: nameOf.get(one.providerId) ?? "" }));
  return { offerId, family, country, send, used, costs: named };
}

/** Maximum number of open purchases and refunds that are read. */
const MAX_OPEN = 1_000;
/** Most purchases have an outcome earlier. */
const UNKNOWN_AFTER_MS = 2 * MINUTE;

/** Number of closed days from which the daily spending is computed. */
const SPENDING_DAYS = 7;
const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;

/** A brand as it is sold, at a provider. */
interface Pair {
  providerId: string;
  brand: string;
  brandName: string;
}

interface Outcome extends Pair {
  isDelivered: boolean;
  took_ms: number;
}

/**
 * Reads the newest finished purchases of the shop, by an index. The number of rows depends on the
 * number of providers only. A provider that had none of them has no health. A purchase that moved
 * counts for each provider that had an attempt, with the time that it took there.
 */
async function readRecentOutcomes(
  db: Db,
  { accountId, environment }: Scope,
  providers: number,
): Promise<Outcome[]> {
  const rows = await db
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", (join) =>
      join
        .onRef("p.account_id", "=", "t.account_id")
        .onRef("p.environment", "=", "t.environment")
        .onRef("p.transaction_id", "=", "t.transaction_id"),
    )
    .select(["t.transaction_id", "t.status", "t.created_at", "t.finished_at"])
    .select(["p.provider_id", "p.refused_by", "p.attempts", "p.brand", "p.brand_name"])
    .where("t.account_id", "=", accountId)
    .where("t.environment", "=", environment)
    .where("t.finished_at", "is not", null)
    .where("t.training", "=", 0)
    // Other purchases failed before they reached the provider.
    .where("p.attempts", ">", 0)
    .orderBy("t.finished_at", "desc")
    .orderBy("t.transaction_id", "desc")
    .limit(HEALTH_PURCHASES * Math.max(1, providers))
    .execute();
  const moved = rows.filter(({ refused_by }) => refused_by !== null);
  const moves = await readMoves(
    db,
    { accountId, environment },
    moved.map((row) => row.transaction_id),
  );
  return rows.flatMap((row) => {
    const refusedBy = row.refused_by?.split(",") ?? [];
    const providers = [...new Set(refusedBy)];
    const sold = { brand: row.brand, brandName: row.brand_name };
    // An earlier move was made before anything was sent.
    const times = (moves.get(row.transaction_id) ?? []).slice(-providers.length);
    let since = row.created_at;
    const refusals = providers.map((providerId, index): Outcome => {
      const until = times[index] ?? since;
      const took_ms = until - since;
      since = until;
      return { ...sold, providerId, isDelivered: false, took_ms };
    });
    if (row.attempts === refusedBy.length) return refusals;
    const took_ms = (row.finished_at ?? since) - since;
    const providerId = row.provider_id ?? FIRST_PROVIDER;
    return [...refusals, { ...sold, providerId, isDelivered: row.status === "DONE", took_ms }];
  });
}

/** Returns the times of the moves of these purchases, in order. */
async function readMoves(
  db: Db,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<Map<string, number[]>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("transaction_log")
    .select(["transaction_id", "logged_at"])
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .where("message", "like", `%${MOVED_TO}%`)
    .orderBy("transaction_id")
    .orderBy("position")
    .execute();
  const byId = Map.groupBy(rows, (row) => row.transaction_id);
  return new Map([...byId].map(([id, own]) => [id, own.map((row) => row.logged_at)]));
}

/**
 * Returns the daily cost of each provider's sales, in minor units of the wallet's currency. Reads the
 * stored figures of the last closed days. A provider's first day among them may be a part of a day,
 * so it does not count. A provider without a later day has no value.
 */
async function readDailySpending(
  db: Db,
  { accountId, environment }: Scope,
): Promise<Map<string, number>> {
  const scope = { accountId, environment };
  const next = (await readFigureBounds(db, scope)).closedUntil / DAY_MS;
  const rows = await db
    .selectFrom("day_figures")
    .select(["quarter", "value", "wallet_cost", "wallet_cost_back"])
    .where(inScope(scope))
    .where("dimension", "=", "BRAND")
    .where("quarter", ">=", (next - SPENDING_DAYS) * QUARTERS_A_DAY)
    .where("quarter", "<", next * QUARTERS_A_DAY)
    .where(sql<boolean>`not (${sql.raw(UNSOUND)})`)
    .orderBy("quarter")
    .execute();
  const of = ({ value }: { value: string }) => splitBrandValue(value).providerId ?? FIRST_PROVIDER;
  const spending = new Map<string, number>();
  for (const [providerId, own] of Map.groupBy(rows, of)) {
    const first = (own[0]?.quarter ?? 0) / QUARTERS_A_DAY;
    const spent = own
      .filter(({ quarter }) => quarter / QUARTERS_A_DAY > first)
      .reduce((sum, row) => sum + row.wallet_cost - row.wallet_cost_back, 0);
    if (spent > 0) spending.set(providerId, spent / (next - first - 1));
  }
  return spending;
}

/**
 * Lists the brand and the provider of each purchase and refund that the provider has had for a while
 * without an outcome. Training reaches no provider.
 */
async function listUnknownOutcomes(
  db: Db,
  { accountId, environment }: Scope,
  now: number,
): Promise<Pair[]> {
  const rows = await db
    .selectFrom("transactions as t")
    .leftJoin("refunds as r", (join) =>
      join
        .onRef("r.account_id", "=", "t.account_id")
        .onRef("r.environment", "=", "t.environment")
        .onRef("r.transaction_id", "=", "t.transaction_id"),
    )
    .innerJoin("purchases as p", (join) =>
      join
        .onRef("p.account_id", "=", "t.account_id")
        .onRef("p.environment", "=", "t.environment")
        .on("p.transaction_id", "=", (eb) =>
          eb.fn.coalesce("r.refunded_transaction_id", "t.transaction_id"),
        ),
    )
    .select(["p.provider_id", "p.attempt_state", "p.doubt", "r.transaction_id as refund_id"])
    .select(["p.brand", "p.brand_name as brandName"])
    .where("t.account_id", "=", accountId)
    .where("t.environment", "=", environment)
    .where("t.finished_at", "is", null)
    .where("t.training", "=", 0)
    .where("t.created_at", "<=", now - UNKNOWN_AFTER_MS)
    .orderBy("t.created_at")
    .orderBy("t.transaction_id")
    .limit(MAX_OPEN)
    .execute();
  return rows.flatMap(({ provider_id, attempt_state, doubt, refund_id, ...sold }) => {
    const isSent = attempt_state === "SENT" || attempt_state === "WORKING" || doubt !== "NONE";
    if (refund_id === null && !isSent) return [];
    return [{ ...sold, providerId: provider_id ?? FIRST_PROVIDER }];
  });
}

interface HealthFacts {
  providerId: string;
  /** Finished purchases of all providers, the newest first. */
  outcomes: readonly Outcome[];
  unknown: readonly Pair[];
}

/** @param facts amounts in minor units of the wallet's currency; undefined if unknown */
function computeHealth(
  facts: HealthFacts & { balance: number | undefined; dailySpending: number | undefined },
): ProviderHealth {
  const { balance, dailySpending } = facts;
  const isKnown = balance !== undefined && dailySpending !== undefined;
  return {
    ...measure(facts),
    ...(isKnown && { daysLeft: Math.round((balance * 10) / dailySpending) / 10 }),
  };
}

/**
 * Returns the health of brands at a provider: paused ones, those with unknown outcomes, then those
 * with most purchases.
 */
function computeBrandHealth({
  paused,
  ...facts
}: HealthFacts & { paused: readonly (Pair & { pausedSince: number })[] }): BrandHealth[] {
  const isHere = ({ providerId }: Pair) => providerId === facts.providerId;
  const [outcomes, unknown] = [facts.outcomes.filter(isHere), facts.unknown.filter(isHere)];
  const pauses = paused.filter(isHere);
  const nameOf = new Map(
    [...pauses, ...unknown, ...outcomes].map(({ brand, brandName }) => [brand, brandName]),
  );
  return [...nameOf]
    .map(([brand, brandName]): BrandHealth => {
      const isOfBrand = (pair: Pair) => pair.brand === brand;
      const { providerId } = facts;
      const own = { outcomes: outcomes.filter(isOfBrand), unknown: unknown.filter(isOfBrand) };
      const pausedSince = pauses.find(isOfBrand)?.pausedSince;
      return {
        brand,
        brandName,
        ...measure({ providerId, ...own }),
        ...(pausedSince !== undefined && { pausedSince: toTimestamp(pausedSince) }),
      };
    })
    .toSorted(byUrgency)
    .slice(0, HEALTH_BRANDS);
}

function byUrgency(one: BrandHealth, other: BrandHealth): number {
  const rank = ({ pausedSince }: BrandHealth) => (pausedSince === undefined ? 0 : 1);
  return rank(other) - rank(one) || other.unknown - one.unknown || other.purchases - one.purchases;
}

function measure({ providerId, outcomes, unknown }: HealthFacts) {
  const newest = outcomes.filter((one) => one.providerId === providerId).slice(0, HEALTH_PURCHASES);
  const times = newest.map(({ took_ms }) => took_ms).toSorted((one, other) => one - other);
  const [p50_ms, p95_ms] = [pickPercentile(times, 50), pickPercentile(times, 95)];
  return {
    purchases: newest.length,
    delivered: newest.filter(({ isDelivered }) => isDelivered).length,
    ...(p50_ms !== undefined && { p50_ms }),
    ...(p95_ms !== undefined && { p95_ms }),
    unknown: unknown.filter((one) => one.providerId === providerId).length,
  };
}

/** Returns the smallest value that at least this percentage of the sorted values do not exceed. */
function pickPercentile(sorted: readonly number[], percent: number): number | undefined {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}
