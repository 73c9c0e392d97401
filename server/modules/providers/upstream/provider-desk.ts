import {
  COMPARED_PRODUCTS,
  type ProviderCosts,
  type ProviderList,
  type ProviderSummary,
} from "../../../contract/pos/providers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import {
  type CatalogService,
  compareCosts,
  getLargestAmount,
  getSoldBrand,
  isTroubled,
  type ProductCosts,
  providerOf,
  readRouting,
  sendUnitOf,
} from "../../catalog/catalog/index.ts";
import { computeHealth, countUnknownOutcomes, readRecentOutcomes } from "./provider-health.ts";
import { listUpstreams, type StoredUpstream } from "./upstream-store.ts";

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
    const now = clock.now();
    const outcomes = await readRecentOutcomes(db, scope, { providers: all.length, now });
    const unknown = await countUnknownOutcomes(db, scope, now);
    const supplied = await catalog.getSupplied(scope);
    const products = new Map<string, number>();
    for (const offer of supplied.offers) {
      const id = providerOf(offer);
      products.set(id, (products.get(id) ?? 0) + 1);
    }
    const nameOf = new Map(supplied.brands.map(({ brand, brandName }) => [brand, brandName]));
    const hidden = [...supplied.hidden.values()].map(({ stated }) => stated);
    const shared = Map.groupBy(hidden, (offer) => getSoldBrand(offer, supplied.choices));
    const { orders } = await readRouting(db, scope);
    return {
      ...(await getWalletUnit(db, scope.accountId)),
      list: all.map((stored) => ({
        ...summarise(stored),
        products: products.get(stored.providerId) ?? 0,
        health: computeHealth(outcomes, {
          providerId: stored.providerId,
          ...(stored.balance && { balance: stored.balance.available }),
          unknown: unknown.get(stored.providerId) ?? 0,
        }),
      })),
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
        .toSorted((one, other) => one.brandName.localeCompare(other.brandName)),
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
    const all = await listUpstreams(db, scope);
    const nameOf = new Map(all.map(({ providerId, name }) => [providerId, name]));
    return {
      ...(await getWalletUnit(db, scope.accountId)),
      list: list.map((costs) => toRecord(costs, nameOf)),
    };
  }
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
