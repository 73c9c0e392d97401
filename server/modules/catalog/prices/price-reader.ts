import type { PriceRate } from "../../../contract/pos/price-lists.ts";
import type { PriceChannel, StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Offer, ProductFamily } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { Exact, type PricingTerms } from "../../../lib/money.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { Base } from "../../module.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import type { Pricing } from "../catalog/index.ts";
import { PriceEngine, type QuotedOffer } from "./price-engine.ts";
import { EMPTY_LIST, findInForce, findList, readLosses } from "./price-list-store.ts";

type ReadTerms = (db: Db | Tx, accountId: string) => Promise<PricingTerms>;

export interface PricesInForce extends Pricing {
  readonly engine: PriceEngine;
  readonly version: number;
  /** Returns whether a price at the till is below the floor (rules#price-floor). */
  isUnderFloor(paid: number, priced: QuotedOffer): boolean;
}

interface CompiledPrices {
  version: number;
  list: StoredPriceList;
  pricing: PricesInForce;
}

/** Reads only a few small rows while the list and the rate are unchanged. */
export class PriceReader {
  readonly #readTerms: ReadTerms;
  readonly #known = new Map<string, CompiledPrices>();

  constructor(readTerms: ReadTerms) {
    this.#readTerms = readTerms;
  }

  /**
   * @param at milliseconds, in the past or the future
   * @throws DamagedRow if the checksum of the list or the rate does not match
   */
  async read(db: Db | Tx, scope: Scope, at: number): Promise<PricesInForce> {
    const key = `${scope.accountId}/${scope.environment}`;
    const terms = await this.#readTerms(db, scope.accountId);
    const inForce = await findInForce(db, scope, at);
    const until = inForce.planned[0]?.startsAt ?? Infinity;
    const known = this.#known.get(key);
    const list =
      known?.version === inForce.version ? known.list : await findList(db, scope, inForce.version);
    if (!list) throw new RangeError(`version ${inForce.version} of the price list is missing`);
    const spent = await findSpent(db, scope, list);
    const stamp = `${inForce.version} ${terms.currency} ${terms.rate} ${terms.country} ${[...spent].join(" ")}`;
    if (known && isReusable(known.pricing, { stamp, at, until })) return known.pricing;
    const engine = new PriceEngine({ list, terms, at, spent });
    const pricing: PricesInForce = {
      engine,
      version: inForce.version,
      terms,
      stamp: `${stamp} ${engine.from}`,
      from: Math.max(engine.from, inForce.startsAt),
      until: Math.min(engine.until, until),
      splitsChannels: engine.splitsChannels,
      getTax: (family: ProductFamily) => list.taxes[family],
      isUnderFloor: (paid: number, priced: QuotedOffer) =>
        engine.isUnderFloor(paid, priced, "TILL"),
      price: (offer: Offer, channel: PriceChannel) => engine.price(offer, channel).offer,
    };
    this.#known.set(key, { version: inForce.version, list, pricing });
    return pricing;
  }
}

function isReusable(
  { stamp, from, until, engine }: PricesInForce,
  now: { stamp: string; at: number; until: number },
): boolean {
  const same = stamp === `${now.stamp} ${engine.from}`;
  return same && from <= now.at && now.at < until && until <= now.until;
}

async function findSpent(
  db: Db | Tx,
  scope: Scope,
  { rules }: StoredPriceList,
): Promise<ReadonlySet<string>> {
  const losing = rules.filter(({ belowCost }) => belowCost !== undefined);
  if (losing.length === 0) return new Set();
  const losses = await readLosses(db, scope);
  const spent = losing.filter(({ ruleId, belowCost }) => {
    const { budget = 0, maxLossPerSale = 0 } = belowCost ?? {};
    return (losses.get(ruleId) ?? 0) + maxLossPerSale > budget;
  });
  return new Set(spent.map(({ ruleId }) => ruleId));
}

export interface RateDeps extends Pick<Base, "db" | "clock"> {
  shop: ShopService;
  prices: Pick<PriceReader, "read">;
  rates: ReferenceRates;
}

type RateDrift = Pick<
  PriceRate,
  "currency" | "walletCurrency" | "rate" | "reference" | "driftPercent" | "alertPercent" | "isAlert"
>;

export async function readDrift(
  { db, clock, shop, prices, rates }: RateDeps,
  scope: Scope,
): Promise<RateDrift> {
  const { currency, rate } = await shop.get(scope.accountId);
  const wallet = await getWalletUnit(db, scope.accountId);
  const { version } = await prices.read(db, scope, clock.now());
  const list = (await findList(db, scope, version)) ?? EMPTY_LIST;
  const reference = rates.base === wallet.currency ? rates.rates[currency] : undefined;
  const isKnown = currency !== wallet.currency && reference !== undefined;
  const drift = isKnown ? new Exact(reference).sub(rate).div(rate).mul(100) : new Exact(0);
  return {
    currency,
    walletCurrency: wallet.currency,
    rate,
    ...(isKnown && { reference: { rate: reference, date: rates.date } }),
    driftPercent: drift.toDecimalPlaces(2).toNumber(),
    alertPercent: Number(list.driftAlertPercent),
    isAlert: drift.abs().gt(list.driftAlertPercent),
  };
}
