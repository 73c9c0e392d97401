import { FAMILY_FACTS, PROMOTED_FAMILIES } from "../../../contract/pos/families.ts";
import type { PosOffer, PosOfferPromo } from "../../../contract/pos/offers.ts";
import type { PosPromo, PosPromoQuery } from "../../../contract/pos/promos.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { Exact, type PricingTerms, type Unit } from "../../../lib/money.ts";
import type { CatalogPromo, CatalogService, PromoService } from "../../catalog/catalog/index.ts";
import { CounterCatalog } from "../../catalog/counter-catalog/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";

const EXCLUDES = [
  /unlimited\b[^.]*\b(excluded|excepted|not included|not part|do not count)\b/i,
  /\b(except|excludes?|excluding|but not|not (?:for|on|with|valid for))\b[^.]*\bunlimited\b/i,
];

interface PromoCounterServiceDeps {
  catalog: CatalogService;
  promos: PromoService;
  shop: ShopService;
}

/** Promotions, as far as the counter tells customers of them. */
export class PromoCounterService {
  readonly #deps: PromoCounterServiceDeps;

  constructor(deps: PromoCounterServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Promotions that run now on what is sold here, in the language asked for, else the shop's, else
   * English; those that end first come first.
   */
  async list(scope: Scope, query: PosPromoQuery): Promise<PosPromo[]> {
    return (await this.#listRunning(scope, query)).map(({ promo }) => promo);
  }

  /** Those that apply to what is delivered of an offer, minor units of what it delivers, or may. */
  async listFor(
    scope: Scope,
    offer: Offer,
    { send, language }: { send: number; language: string | undefined },
  ): Promise<PosPromo[]> {
    const terms = await this.#deps.shop.get(scope.accountId);
    const running = await this.#listRunning(scope, {
      brand: offer.brand,
      ...(language !== undefined && { language }),
    });
    return running.flatMap((one) => {
      const promised = promisedFor(one, offer, { terms, send });
      if (promised === "NO") return [];
      return [promised === "YES" ? one.promo : { ...one.promo, may: true }];
    });
  }

  /** Those that apply to any of the offers that are shown together, or may, each with its offers. */
  async listOn(
    scope: Scope,
    offers: readonly PosOffer[],
    language: string | undefined,
  ): Promise<PosOfferPromo[]> {
    const terms = await this.#deps.shop.get(scope.accountId);
    const running = await this.#listRunning(scope, language === undefined ? {} : { language });
    return running.flatMap((one) => {
      const by = Map.groupBy(offers, (offer) => promisedFor(one, offer, { terms }));
      const idsOf = (promised: Promised) => (by.get(promised) ?? []).map(({ offerId }) => offerId);
      const [offerIds, mayOfferIds] = [idsOf("YES"), idsOf("MAY")];
      if (offerIds.length + mayOfferIds.length === 0) return [];
      const may = offerIds.length === 0 ? { may: true } : {};
      return [{ ...one.promo, ...may, offerIds, mayOfferIds }];
    });
  }

  async #listRunning(scope: Scope, query: PosPromoQuery): Promise<RunningPromo[]> {
    const { catalog, promos, shop } = this.#deps;
    const terms = await shop.get(scope.accountId);
    const language = query.language ?? terms.language;
    const page = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const { list } = await promos.list(scope, { ...query, language, status: "active" }, page);
    const snapshot = await catalog.getSnapshot(scope);
    const counter = CounterCatalog.of(snapshot);
    const texts = new Map(
      snapshot.promos.map(({ id, description, descriptions }) => [
        id,
        [description, ...descriptions],
      ]),
    );
    return list
      .flatMap((running): RunningPromo[] => {
        const { id, country, startAt, endAt, minValue, maxValue, description } = running;
        const { currency, currencyDivisor } = running;
        const { brand, brandName } = running.brand;
        const offer = findSold(counter, brand, country);
        // Nothing of that brand is sold here: nothing to tell of.
        if (!offer) return [];
        const unit = "send" in offer ? offer.send : undefined;
        // Where nothing is delivered in money, what the text names are prices before the shop's rate.
        const said = (text: string) => (unit ? text : inShopPrices(text, { currency }, terms));
        const promo = {
          promoId: id,
          brand,
          brandName,
          country,
          startAt,
          endAt,
          minValue,
          maxValue,
          ...(unit && { currency: unit.currency, currencyDivisor: unit.currencyDivisor }),
          ...description,
          description: said(description.description),
          terms: said(description.terms),
        };
        const region = running.regions;
        return [{ promo, currency, currencyDivisor, region, texts: texts.get(id) ?? [] }];
      })
      .sort((a, b) => a.promo.endAt.localeCompare(b.promo.endAt));
  }
}

/** Something of a brand that a promotion in a country may be on. */
function findSold(catalog: CounterCatalog, brand: string, country: string): PosOffer | undefined {
  const place = country === "" ? {} : { country };
  return PROMOTED_FAMILIES.map(
    (productType) => catalog.list({ productType, brand, ...place })[0],
  ).find((offer) => offer !== undefined);
}

/**
 * Restates prices in a promotion's text in the shop's currency: "from 4 USD" becomes "from 31 GTQ",
 * rounded up to the minor unit as prices are. Only for texts whose amounts are prices; what is
 * delivered has a currency of its own and stays, and so does a number that can be read in two ways,
 * such as 1,000.
 */
export function inShopPrices(
  text: string,
  from: Pick<Unit, "currency">,
  { currency, currencyDivisor, rate }: PricingTerms,
): string {
  if (from.currency === currency) return text;
  const price = String.raw`(?<![\d.,'\u2019]|\d\s)(\d+(?:[.,]\d{1,2})?)`;
  const decimals = Math.log10(currencyDivisor);
  return text.replace(
    new RegExp(`${price}(\\s?)${from.currency}\\b`, "gu"),
    (_, major: string, gap: string) => {
      const exact = new Exact(major.replace(",", ".")).mul(rate);
      const paid = exact.toDecimalPlaces(decimals, Exact.ROUND_UP);
      return `${paid.toFixed(paid.isInteger() ? 0 : decimals)}${gap}${currency}`;
    },
  );
}

/** Whether a customer gets what a promotion promises: surely, perhaps, or not. */
type Promised = "YES" | "MAY" | "NO";

/** A promotion with what its texts and its limits are read by. */
export interface RunningPromo {
  promo: PosPromo;
  /** In which its limits are stated; empty where nothing says. */
  currency: string;
  currencyDivisor: number;
  /** Of one that is for no country alone. */
  region: string;
  texts: readonly CatalogPromo["description"][];
}

interface Range {
  min: number;
  max: number;
}

/** An offer as far as promotions go, with the amounts it can be bought at. */
type Promoted = Pick<Offer, "brand" | "country" | "productType"> & {
  dataUnlimited?: boolean;
  regions?: readonly string[];
  price: { fixed?: number };
  send?: { currency: string; fixed?: number; min?: number; max?: number };
};

/**
 * Whether a promotion holds for an offer. It does where its limits hold for every amount that the
 * offer can be bought at, in the currency that they are stated in, and its terms leave none of it
 * out. What cannot be told is a MAY, and nobody is promised it.
 * @param send what is delivered, where it is chosen already: minor units
 */
export function promisedFor(
  running: RunningPromo,
  offer: Promoted,
  { terms, send }: { terms: PricingTerms; send?: number },
): Promised {
  const { promo } = running;
  const isElsewhere =
    promo.country === ""
      ? running.region !== "Global" && offer.regions?.includes(running.region) === false
      : promo.country !== offer.country;
  const { isPromoted } = FAMILY_FACTS[offer.productType];
  if (promo.brand !== offer.brand || isElsewhere || !isPromoted) return "NO";
  // One whose brand delivers money is not of the eSIMs beside it.
  if ((promo.currency === undefined) !== (offer.send === undefined)) return "NO";
  return worstOf([
    withinLimits(running, amountsOf(running, offer, { terms, send })),
    offer.dataUnlimited ? byUnlimited(running.texts) : "YES",
  ]);
}

function worstOf(all: readonly Promised[]): Promised {
  return (["NO", "MAY"] as const).find((one) => all.includes(one)) ?? "YES";
}

/** Undefined where the offer's amounts are not of the currency of the limits. */
function amountsOf(
  { currency, currencyDivisor }: RunningPromo,
  { price, send: sent }: Promoted,
  { terms, send }: { terms: PricingTerms; send: number | undefined },
): Range | undefined {
  if (sent) {
    if (sent.currency !== currency) return undefined;
    if (send !== undefined) return { min: send, max: send };
    const { fixed, min = 0, max = 0 } = sent;
    return fixed === undefined ? { min, max } : { min: fixed, max: fixed };
  }
  if (price.fixed === undefined || currency === "") return undefined;
  return beforeRate(price.fixed, { currency, currencyDivisor }, terms);
}

/**
 * An eSIM delivers no money: its limits are catalog prices, of which the shop's is rounded up. All
 * catalog prices that are this one in the shop.
 */
function beforeRate(
  paid: number,
  { currency, currencyDivisor }: { currency: string; currencyDivisor: number },
  terms: PricingTerms,
): Range | undefined {
  if (terms.currency === currency) return { min: paid, max: paid };
  const perMinor = new Exact(terms.rate).mul(terms.currencyDivisor).div(currencyDivisor);
  const max = new Exact(paid).div(perMinor).floor().toNumber();
  const min = new Exact(paid - 1).div(perMinor).floor().add(1).toNumber();
  return min <= max ? { min: Math.max(0, min), max } : undefined;
}

function withinLimits({ promo }: RunningPromo, amounts: Range | undefined): Promised {
  const { minValue, maxValue } = promo;
  const most = maxValue === 0 ? Infinity : maxValue;
  if (minValue === 0 && most === Infinity) return "YES";
  if (!amounts) return "MAY";
  if (amounts.max < minValue || amounts.min > most) return "NO";
  return amounts.min >= minValue && amounts.max <= most ? "YES" : "MAY";
}

/** What the terms say of unlimited plans, as far as they can be read: they are written in words. */
function byUnlimited(texts: RunningPromo["texts"]): Promised {
  const english = texts.find(({ language }) => language === "en");
  if (!english) return "MAY";
  const words = `${english.description} ${english.terms}`;
  if (EXCLUDES.some((pattern) => pattern.test(words))) return "NO";
  return /unlimited/i.test(words) ? "MAY" : "YES";
}
