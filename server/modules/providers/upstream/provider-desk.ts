import {
  COMPARED_PRODUCTS,
  type ProviderCosts,
  type ProviderList,
  type ProviderSummary,
  UNCLEAR_PRODUCTS,
  type UnclearProducts,
} from "../../../contract/pos/providers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
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
import { listPauses } from "../../purchases/purchases/index.ts";
import {
  computeBrandHealth,
  computeHealth,
  listUnknownOutcomes,
  readDailySpending,
  readRecentOutcomes,
} from "./provider-health.ts";
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
