import type { PosBrand, PosBrandTile } from "../../../contract/pos/brands.ts";
import type { EsimDestinations } from "../../../contract/pos/esims.ts";
import { FAMILIES } from "../../../contract/pos/families.ts";
import type { PosOffer, PosOfferQuery } from "../../../contract/pos/offers.ts";
import type { EsimOffer, Offer, ProductFamily } from "../../../contract/v1/offers.ts";
import { type CatalogBrand, type CatalogSnapshot, leastCostOf } from "../catalog/index.ts";
import { areaOf, roamingOf } from "./families/esim.ts";
import { COUNTER_FAMILIES } from "./families/index.ts";

/**
 * The distinct costs of a catalog in order, so that a till compares positions and never sees amounts
 * (docs/decisions/0040).
 */
class CostLadder {
  readonly #costs: readonly number[];

  constructor(costs: readonly number[]) {
    this.#costs = [...new Set(costs)].sort((a, b) => a - b);
  }

  /** How many of them are lower than `cost`. */
  rankOf(cost: number): number {
    return this.countUpTo(cost - 1);
  }

  /** How many of them are at most `amount`. */
  countUpTo(amount: number): number {
    let low = 0;
    let high = this.#costs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#costs[middle] ?? 0) <= amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const SUBTYPE_ORDER = ["Mobile Top Up", "Mobile Bundle", "Mobile Data"];
const GLOBAL = "Global";

const known = new WeakMap<CatalogSnapshot, CounterCatalog>();

/**
 * The enabled offers of a catalog as the counter looks them up: by family, country and brand. Made
 * once for each snapshot, so that no request looks through them all.
 */
export class CounterCatalog {
  readonly #brands: ReadonlyMap<string, CatalogBrand>;
  readonly #offers: ReadonlyMap<string, Offer[]>;
  readonly #shown = new Map<string, PosOffer[]>();
  readonly #costs: CostLadder;
  /** The place of each offer that the owner put first among those of its family. */
  readonly #pins: ReadonlyMap<string, number>;
  readonly #usualCosts = new Map<string, CostRange>();
  #destinations: EsimDestinations | undefined;

  static of(snapshot: CatalogSnapshot): CounterCatalog {
    const made = known.get(snapshot) ?? new CounterCatalog(snapshot);
    known.set(snapshot, made);
    return made;
  }

  private constructor({ offers, brands, pins }: CatalogSnapshot) {
    this.#pins = new Map(
      [...pins.values()].flatMap((ids) => ids.map((id, at) => [id, at] as const)),
    );
    this.#brands = brands;
    const enabled = offers.filter((offer) => offer.enabled);
    this.#offers = groupByEach(enabled, keysOf);
    this.#costs = new CostLadder(enabled.map(leastCostOf));
  }

  /** An offer of this catalog as the counter shows it. */
  view(offer: Offer): PosOffer {
    return toPosOffer(offer, this.#brands.get(offer.brand), this.#costs.rankOf(leastCostOf(offer)));
  }

  /** How many of the different costs a wallet pays for that can spend `available`. */
  countPayable(available: number): number {
    return this.#costs.countUpTo(available);
  }

  /**
   * What top-ups of a fixed amount cost that are sold for a country, or anything of a fixed price
   * where there are none; undefined where nothing has one.
   */
  usualCosts(country: string): CostRange | undefined {
    const known = this.#usualCosts.get(country);
    if (known) return known;
    const ofCountry = fixedCosts(this.#offers.get(keyOf("TOPUP", { country })) ?? []);
    const all = () => FAMILIES.flatMap((one) => this.#offers.get(keyOf(one, {})) ?? []);
    const found = costRangeOf(ofCountry.length > 0 ? ofCountry : fixedCosts(all()));
    if (found) this.#usualCosts.set(country, found);
    return found;
  }

  /** What the owner put first, then by subtype where it is a top-up, then what is for the country alone, then by price. */
  list(query: PosOfferQuery): readonly PosOffer[] {
    const { productType = "TOPUP", country, region, brand } = query;
    const key = keyOf(productType, { country, region, brand });
    const shown = this.#shown.get(key) ?? this.#show(this.#offers.get(key) ?? [], country);
    this.#shown.set(key, shown);
    return shown;
  }

  /** The enabled offers of a brand as the catalog has them, cheapest first. */
  listOfBrand(productType: ProductFamily, brand: string): readonly Offer[] {
    const offers = this.#offers.get(keyOf(productType, { brand })) ?? [];
    return offers.toSorted(
      (a, b) =>
        (fixedPriceOf(a) ?? Infinity) - (fixedPriceOf(b) ?? Infinity) ||
        a.offerId.localeCompare(b.offerId),
    );
  }

  /** Brands with enabled offers, by name; first those of which the owner put an offer first. */
  listBrands(productType: ProductFamily, country?: string): PosBrandTile[] {
    const offers = this.#offers.get(keyOf(productType, { country })) ?? [];
    const pickers = [...Map.groupBy(offers, ({ brand }) => brand)].map(([brand, of]) => ({
      ...this.brandOf(brand),
      countries: [...new Set(of.map((offer) => offer.country))].filter((c) => c !== "").sort(),
      subTypes: byFrequency(of.flatMap((offer): string[] => offer.subTypes)),
      offers: of.length,
      pin: Math.min(...of.map((offer) => this.#pinOf(offer))),
    }));
    return pickers
      .sort((a, b) => byPin(a.pin, b.pin) || a.brandName.localeCompare(b.brandName))
      .map(({ pin, ...tile }) => ({ ...tile, ...(pin < Infinity && { pinned: true }) }));
  }

  brandOf(brand: string): PosBrand {
    const detail = this.#brands.get(brand);
    return {
      brand,
      brandName: detail?.brandName ?? brand,
      brandColor: detail?.brandColor ?? "",
    };
  }

  /** Where the eSIMs work. A plan that covers several countries counts in each. */
  listDestinations(unit: { currency: string; currencyDivisor: number }): EsimDestinations {
    this.#destinations ??= this.#findDestinations(unit);
    return this.#destinations;
  }

  #findDestinations(unit: { currency: string; currencyDivisor: number }): EsimDestinations {
    const plans = (this.#offers.get(keyOf("ESIM", {})) ?? []) as EsimOffer[];
    const regional = plans.filter((plan) => plan.country === "");
    const countries = groupByEach(plans, countriesOf);
    const regions = groupByEach(regional, (plan) => plan.regions);
    const global = regions.get(GLOBAL);
    return {
      priceCurrency: unit.currency,
      priceCurrencyDivisor: unit.currencyDivisor,
      countries: [...countries].sort(byName).map(([country, of]) => ({
        country,
        ownOffers: of.filter((plan) => plan.country === country).length,
        ...destinationOf(of),
      })),
      regions: [...regions]
        .filter(([region]) => region !== GLOBAL)
        .sort(byName)
        .map(([region, of]) => ({ region, ...regionalOf(of) })),
      ...(global && { global: regionalOf(global) }),
    };
  }

  #pinOf({ offerId }: { offerId: string }): number {
    return this.#pins.get(offerId) ?? Infinity;
  }

  #show(offers: readonly Offer[], country: string | undefined): PosOffer[] {
    const shown = offers.map((offer) => this.view(offer));
    const rank = (offer: PosOffer) =>
      "subType" in offer
        ? SUBTYPE_ORDER.indexOf(offer.subType)
        : Number(country !== undefined && offer.country !== country);
    return shown.sort(
      (a, b) =>
        byPin(this.#pinOf(a), this.#pinOf(b)) ||
        rank(a) - rank(b) ||
        (a.price.fixed ?? Infinity) - (b.price.fixed ?? Infinity) ||
        a.offerId.localeCompare(b.offerId),
    );
  }
}

interface Place {
  country?: string | undefined;
  region?: string | undefined;
  brand?: string | undefined;
}

function keyOf(family: ProductFamily, { country, region, brand }: Place): string {
  return JSON.stringify([family, country ?? "", region ?? "", brand ?? ""]);
}

/** Every way in which an offer is looked up. */
function keysOf(offer: Offer): string[] {
  const { productType: family, brand } = offer;
  const places: Place[] = [
    {},
    ...countriesOf(offer).map((country) => ({ country })),
    ...(areaOf(offer)?.regions ?? []).map((region) => ({ region })),
  ];
  return places.flatMap((place) => [keyOf(family, place), keyOf(family, { ...place, brand })]);
}

/** Where an offer is for; an eSIM is for wherever it works. */
function countriesOf(offer: Offer): string[] {
  return [...new Set([offer.country, ...roamingOf(offer)])].filter((country) => country !== "");
}

function destinationOf(plans: readonly EsimOffer[]) {
  const prices = plans.map((plan) => fixedPriceOf(plan) ?? Infinity);
  return { offers: plans.length, fromPrice: Math.min(...prices) };
}

function regionalOf(plans: readonly EsimOffer[]) {
  const countries = [...new Set(plans.flatMap(countriesOf))].sort();
  return { ...destinationOf(plans), countries };
}

function groupByEach<Item, Key extends string>(
  items: readonly Item[],
  keysOfItem: (item: Item) => readonly Key[],
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOfItem(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

/** Those without a place are last, all alike. */
function byPin(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a.localeCompare(b);
}

function byFrequency(words: readonly string[]): string[] {
  const counts = [...Map.groupBy(words, (word) => word)];
  return counts.sort((a, b) => b[1].length - a[1].length).map(([word]) => word);
}

/** Costs of offers; minor units of the wallet's currency. */
interface CostRange {
  least: number;
  /** The median. */
  usual: number;
}

/** The costs of offers with a fixed price. */
function fixedCosts(offers: readonly Offer[]): number[] {
  return offers.filter(({ priceType }) => priceType === "FIXED").map(leastCostOf);
}

/** Undefined when there are no costs. */
function costRangeOf(costs: readonly number[]): CostRange | undefined {
  const sorted = costs.toSorted((a, b) => a - b);
  const [least] = sorted;
  const usual = sorted[sorted.length >> 1];
  return least === undefined || usual === undefined ? undefined : { least, usual };
}

/**
 * An offer as the counter shows it: what the customer pays and gets; of what the shop pays, only its
 * position among all costs.
 */
function toPosOffer(offer: Offer, brand: CatalogBrand | undefined, costRank: number): PosOffer {
  return { ...COUNTER_FAMILIES[offer.productType].view(offer, brand), costRank };
}

/** What the customer pays for an offer, fee included; undefined where the customer chooses the amount. */
function fixedPriceOf({ price }: Offer): number | undefined {
  return price.fixed === undefined ? undefined : price.fixed + price.fee;
}
