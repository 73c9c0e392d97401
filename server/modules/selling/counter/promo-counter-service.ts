import type { CatalogPromo } from "../../../contract/catalog-content.ts";
import { FAMILY_FACTS, PROMOTED_FAMILIES } from "../../../contract/pos/families.ts";
import type { PosOffer, PosOfferPromo } from "../../../contract/pos/offers.ts";
import type { PosPromo } from "../../../contract/pos/promos.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { Exact, type PricingTerms, type Unit } from "../../../lib/money.ts";
import type { CatalogService, PromoService } from "../../catalog/catalog/index.ts";
import { CounterCatalog } from "../../catalog/counter-catalog/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";

const EXCLUDES = [
  /unlimited\b[^.]*\b(excluded|excepted|not included|not part|do not count)\b/i,
  /\b(except|excludes?|excluding|but not|not (?:for|on|with|valid for))\b[^.]*\bunlimited\b/i,
];

interface RunningQuery {
  brand?: string;
  language?: string;
}

interface PromoCounterServiceDeps {
  catalog: CatalogService;
  promos: PromoService;
  shop: ShopService;
}

export class PromoCounterService {
  readonly #deps: PromoCounterServiceDeps;

  constructor(deps: PromoCounterServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Lists promotions that apply or may apply to an offer. Amounts are minor units of the delivered
   * currency.
   */
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

  async listOn(
    scope: Scope,
    offers: readonly PosOffer[],
    language: string | undefined,
  ): Promise<PosOfferPromo[]> {
    const terms = await this.#deps.shop.get(scope.accountId);
    const running = await this.#listRunning(scope, language === undefined ? {} : { language });
    return running.flatMap((one) => {
      const by = Map.groupBy(offers, (offer) => promisedFor(one, offer, { terms }));
      const idsOf = (promised: PromoResult) =>
        (by.get(promised) ?? []).map(({ offerId }) => offerId);
      const [offerIds, mayOfferIds] = [idsOf("YES"), idsOf("MAY")];
      if (offerIds.length + mayOfferIds.length === 0) return [];
      const may = offerIds.length === 0 ? { may: true } : {};
      return [{ ...one.promo, ...may, offerIds, mayOfferIds }];
    });
  }

  /**
   * Lists running promotions of sold brands, ordered by end date. Texts are in the requested
   * language, else the shop's, else English.
   */
  async #listRunning(scope: Scope, query: RunningQuery): Promise<RunningPromo[]> {
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
        if (!offer) return [];
        const unit = "send" in offer ? offer.send : undefined;
        // eSIMs deliver no money: amounts in the texts are prices before the exchange rate.
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

function findSold(catalog: CounterCatalog, brand: string, country: string): PosOffer | undefined {
  const place = country === "" ? {} : { country };
  return PROMOTED_FAMILIES.map(
    (productType) => catalog.list({ productType, brand, ...place })[0],
  ).find((offer) => offer !== undefined);
}

/**
 * Converts the prices in a text: "from 4 USD" becomes "from 31 GTQ", rounded up like prices.
 * Ambiguous numbers such as 1,000 stay unchanged.
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

type PromoResult = "YES" | "MAY" | "NO";

export interface RunningPromo {
  promo: PosPromo;
  /** Currency of the limits; empty if unknown. */
  currency: string;
  currencyDivisor: number;
  /** Region of a promotion without a country. */
  region: string;
  texts: readonly CatalogPromo["description"][];
}

interface AmountRange {
  min: number;
  max: number;
}

type PromotedOffer = Pick<Offer, "brand" | "country" | "productType"> & {
  dataUnlimited?: boolean;
  regions?: readonly string[];
  price: { fixed?: number };
  send?: { currency: string; fixed?: number; min?: number; max?: number };
};

/**
 * @returns YES only if every possible amount is within the limits and the terms do not exclude the
 * offer. The till does not promise MAY to customers.
 * @param send chosen delivered amount in minor units
 */
export function promisedFor(
  running: RunningPromo,
  offer: PromotedOffer,
  { terms, send }: { terms: PricingTerms; send?: number },
): PromoResult {
  const { promo } = running;
  const isElsewhere =
    promo.country === ""
      ? running.region !== "Global" && offer.regions?.includes(running.region) === false
      : promo.country !== offer.country;
  const { isPromoted } = FAMILY_FACTS[offer.productType];
  if (promo.brand !== offer.brand || isElsewhere || !isPromoted) return "NO";
  // A brand's promotions of money do not apply to its eSIMs.
  if ((promo.currency === undefined) !== (offer.send === undefined)) return "NO";
  return pickWorst([
    withinLimits(running, toLimitAmounts(running, offer, { terms, send })),
    offer.dataUnlimited ? byUnlimited(running.texts) : "YES",
  ]);
}

function pickWorst(all: readonly PromoResult[]): PromoResult {
  return (["NO", "MAY"] as const).find((one) => all.includes(one)) ?? "YES";
}

/** @returns undefined if the limits are in another currency than the offer */
function toLimitAmounts(
  { currency, currencyDivisor }: RunningPromo,
  { price, send: sent }: PromotedOffer,
  { terms, send }: { terms: PricingTerms; send: number | undefined },
): AmountRange | undefined {
  if (sent) {
    if (sent.currency !== currency) return undefined;
    if (send !== undefined) return { min: send, max: send };
    const { fixed, min = 0, max = 0 } = sent;
    return fixed === undefined ? { min, max } : { min: fixed, max: fixed };
  }
  if (price.fixed === undefined || currency === "") return undefined;
  return beforeRate(price.fixed, { currency, currencyDivisor }, terms);
}

/** Returns the catalog price. Limits of eSIM promotions are compared with this price. */
function beforeRate(
  paid: number,
  { currency, currencyDivisor }: { currency: string; currencyDivisor: number },
  terms: PricingTerms,
): AmountRange | undefined {
  if (terms.currency === currency) return { min: paid, max: paid };
  const perMinor = new Exact(terms.rate).mul(terms.currencyDivisor).div(currencyDivisor);
  const max = new Exact(paid).div(perMinor).floor().toNumber();
  const min = new Exact(paid - 1).div(perMinor).floor().add(1).toNumber();
  return min <= max ? { min: Math.max(0, min), max } : undefined;
}

function withinLimits({ promo }: RunningPromo, amounts: AmountRange | undefined): PromoResult {
  const { minValue, maxValue } = promo;
  const most = maxValue === 0 ? Infinity : maxValue;
  if (minValue === 0 && most === Infinity) return "YES";
  if (!amounts) return "MAY";
  if (amounts.max < minValue || amounts.min > most) return "NO";
  return amounts.min >= minValue && amounts.max <= most ? "YES" : "MAY";
}

/** Guesses from the English terms, which are free text, whether unlimited plans are included. */
function byUnlimited(texts: RunningPromo["texts"]): PromoResult {
  const english = texts.find(({ language }) => language === "en");
  if (!english) return "MAY";
  const words = `${english.description} ${english.terms}`;
  if (EXCLUDES.some((pattern) => pattern.test(words))) return "NO";
  return /unlimited/i.test(words) ? "MAY" : "YES";
}
