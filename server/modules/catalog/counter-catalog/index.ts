import type { CatalogBrand } from "../../../contract/catalog-content.ts";
import type { PosBrand, PosBrandTile } from "../../../contract/pos/brands.ts";
import type { EsimArea, EsimDestinations } from "../../../contract/pos/esims.ts";
import { FAMILIES } from "../../../contract/pos/families.ts";
import type { PosField, PosOffer, PosOfferQuery } from "../../../contract/pos/offers.ts";
import type {
  EsimOffer,
  Offer,
  OfferOf,
  ProductFamily,
  TopupOffer,
  VoucherOffer,
} from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import {
  type CatalogSnapshot,
  getLowestCost,
  type Quote,
  quoteOffer,
  viewRange,
} from "../catalog/index.ts";

type ViewOf<View> = View extends unknown ? Omit<View, "costRank"> : never;
type PosOfferOf<F extends ProductFamily> = Extract<PosOffer, { productType: F }>;

interface OwnFamily<F extends ProductFamily> {
  view(offer: OfferOf<F>, brand: CatalogBrand | undefined): ViewOf<PosOfferOf<F>>;
  /**
   * Returns a key that interchangeable offers share, or null. A RANGE offer has the same price as a
   * FIXED offer with the same key and amount.
   */
  kindOf(offer: OfferOf<F>): string | null;
}

/** Both functions throw a RangeError for an offer of another family. */
interface CounterFamily {
  view(offer: Offer, brand: CatalogBrand | undefined): ViewOf<PosOffer>;
  kindOf(offer: Offer): string | null;
}

function counterFamily<F extends ProductFamily>(family: F, own: OwnFamily<F>) {
  const isOwn = (offer: Offer): offer is OfferOf<F> => offer.productType === family;
  const ownOf = (offer: Offer): OfferOf<F> => {
    if (isOwn(offer)) return offer;
    throw new RangeError(`an offer of ${offer.productType} does not belong to ${family}`);
  };
  return {
    view: (offer, brand) => own.view(ownOf(offer), brand),
    kindOf: (offer) => own.kindOf(ownOf(offer)),
  } satisfies CounterFamily;
}

function viewHead(offer: Offer, brand: CatalogBrand | undefined) {
  const { increment, fee } = offer.price;
  return {
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor: brand?.brandColor ?? "",
    country: offer.country,
    title: offer.shortNotes,
    notes: offer.notes,
    subTypes: offer.subTypes,
    priceType: offer.priceType,
    price: { ...viewRange(offer.price), fee, ...(increment !== undefined && { increment }) },
  };
}

function viewAllowances(offer: Extract<Offer, { dataGB: number }>) {
  const { dataGB, dataUnlimited, durationDays, smsNumber, smsUnlimited } = offer;
  const { voiceMinutes, voiceUnlimited } = offer;
  return {
    dataGB,
    dataUnlimited,
    durationDays,
    smsNumber,
    smsUnlimited,
    voiceMinutes,
    voiceUnlimited,
  };
}

function viewFields(keys: readonly string[], brand: CatalogBrand | undefined): PosField[] {
  return keys.map((key) => {
    const label = brand?.requiredFieldsLabels.find((one) => one.requiredField === key)?.label;
    const mask = brand?.inputMasks.find((one) => one.requiredField === key)?.inputMask ?? "";
    return {
      key,
      label: label || toLabel(key),
      kind: getFieldKind(key, mask),
      ...(mask !== "" && { inputMask: mask }),
    };
  });
}

function getFieldKind(key: string, mask: string): PosField["kind"] {
  if (/msisdn|phone/i.test(key)) return "PHONE";
  if (/e-?mail/i.test(key)) return "EMAIL";
  return /^9[9 -]*$/.test(mask) ? "DIGITS" : "TEXT";
}

/** Converts `account.number` and `accountNumber` to "Account number". */
function toLabel(key: string): string {
  const words = key.replaceAll(/[._-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** Returns the same key for offers that differ only in their amounts. */
function toMoneyKind(offer: TopupOffer | VoucherOffer): string {
  const { productType, country, subTypes, send, price } = offer;
  return JSON.stringify([productType, country, subTypes, send.currency, price.currency]);
}

const topupFamily = counterFamily("TOPUP", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    subType: offer.subTypes[0] ?? "Mobile Top Up",
    send: viewRange(offer.send),
    ...viewAllowances(offer),
  }),
  kindOf: toMoneyKind,
});

const voucherFamily = counterFamily("VOUCHER", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    deliveryType: offer.deliveryType,
    requiredFields: viewFields(offer.requiredFields, brand),
  }),
  kindOf: (offer) => JSON.stringify([toMoneyKind(offer), offer.deliveryType, offer.requiredFields]),
});

const esimFamily = counterFamily("ESIM", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    ...viewAllowances(offer),
    regions: offer.regions,
    dataSpeeds: offer.dataSpeeds,
    roaming: offer.roaming.map(({ country }) => country),
  }),
  // The buyer cannot choose an eSIM's value, so a typed amount never matches another offer.
  kindOf: () => null,
});

function listRoaming(offer: Offer): string[] {
  return offer.productType === "ESIM" ? offer.roaming.map(({ country }) => country) : [];
}

export function getArea(offer: Offer): EsimArea | undefined {
  return offer.productType === "ESIM" && offer.country === ""
    ? { regions: offer.regions, countries: listRoaming(offer) }
    : undefined;
}

const billFamily = counterFamily("BILL_PAY", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    requiredFields: viewFields(offer.requiredFields, brand),
    supportsBillRetrieval: offer.supportsBillRetrieval,
    retrievalFields: viewFields(offer.billRetrievalRequiredFields, brand),
    supportsOverpayment: offer.supportsOverpayment,
    supportsUnderpayment: offer.supportsUnderpayment,
    cutoffTime: offer.cutoffTime,
    processingDays: offer.processingDays,
    processingOnHolidays: offer.processingOnHolidays,
    deliverySpeedSeconds: offer.deliverySpeedSeconds,
  }),
  // Bills are not interchangeable, because each bill has its own amount.
  kindOf: () => null,
});

const COUNTER_FAMILIES: Readonly<Record<ProductFamily, CounterFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};

/** Ranks costs, so that tills can compare costs without the amounts (docs/decisions/0040). */
class CostLadder {
  readonly #costs: readonly number[];

  constructor(costs: readonly number[]) {
    this.#costs = [...new Set(costs)].sort((a, b) => a - b);
  }

  rankOf(cost: number): number {
    return this.countUpTo(cost - 1);
  }

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

/** Catalog for the counter, built once per snapshot. */
export class CounterCatalog {
  readonly #brands: ReadonlyMap<string, CatalogBrand>;
  readonly #offers: ReadonlyMap<string, Offer[]>;
  readonly #shown = new Map<string, PosOffer[]>();
  readonly #costs: CostLadder;
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
    this.#offers = groupByEach(enabled, listKeys);
    this.#costs = new CostLadder(enabled.map(getLowestCost));
  }

  #view(offer: Offer): PosOffer {
    return toPosOffer(
      offer,
      this.#brands.get(offer.brand),
      this.#costs.rankOf(getLowestCost(offer)),
    );
  }

  countPayable(available: number): number {
    return this.#costs.countUpTo(available);
  }

  getUsualCosts(country: string): CostRange | undefined {
    const known = this.#usualCosts.get(country);
    if (known) return known;
    const ofCountry = fixedCosts(this.#offers.get(toKey("TOPUP", { country })) ?? []);
    const all = () => FAMILIES.flatMap((one) => this.#offers.get(toKey(one, {})) ?? []);
    const found = toCostRange(ofCountry.length > 0 ? ofCountry : fixedCosts(all()));
    if (found) this.#usualCosts.set(country, found);
    return found;
  }

  /** Sorts offers by pin, subtype (top-ups), country (offers of one country first) and price. */
  list(query: PosOfferQuery): readonly PosOffer[] {
    const { productType = "TOPUP", country, region, brand } = query;
    const key = toKey(productType, { country, region, brand });
    const shown = this.#shown.get(key) ?? this.#buildList(this.#offers.get(key) ?? [], country);
    this.#shown.set(key, shown);
    return shown;
  }

  /** Returns offers, cheapest first. */
  listOfBrand(productType: ProductFamily, brand: string): readonly Offer[] {
    const offers = this.#offers.get(toKey(productType, { brand })) ?? [];
    return offers.toSorted(
      (a, b) =>
        (getFixedPrice(a) ?? Infinity) - (getFixedPrice(b) ?? Infinity) ||
        a.offerId.localeCompare(b.offerId),
    );
  }

  /** Sorts brands with a pinned offer first, then by name. */
  listBrands(productType: ProductFamily, country?: string): PosBrandTile[] {
    const offers = this.#offers.get(toKey(productType, { country })) ?? [];
    const pickers = [...Map.groupBy(offers, ({ brand }) => brand)].map(([brand, of]) => ({
      ...this.brandOf(brand),
      countries: [...new Set(of.map((offer) => offer.country))].filter((c) => c !== "").sort(),
      subTypes: byFrequency(of.flatMap((offer): string[] => offer.subTypes)),
      offers: of.length,
      pin: Math.min(...of.map((offer) => this.#getPin(offer))),
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

  /** Returns eSIM destinations. A plan for several countries counts in each of them. */
  listDestinations(unit: { currency: string; currencyDivisor: number }): EsimDestinations {
    this.#destinations ??= this.#findDestinations(unit);
    return this.#destinations;
  }

  #findDestinations(unit: { currency: string; currencyDivisor: number }): EsimDestinations {
    const plans = (this.#offers.get(toKey("ESIM", {})) ?? []) as EsimOffer[];
    const regional = plans.filter((plan) => plan.country === "");
    const countries = groupByEach(plans, listCountries);
    const regions = groupByEach(regional, (plan) => plan.regions);
    const global = regions.get(GLOBAL);
    return {
      priceCurrency: unit.currency,
      priceCurrencyDivisor: unit.currencyDivisor,
      countries: [...countries].sort(byName).map(([country, of]) => ({
        country,
        ...toDestination(of),
      })),
      regions: [...regions]
        .filter(([region]) => region !== GLOBAL)
        .sort(byName)
        .map(([region, of]) => ({ region, ...toRegion(of) })),
      ...(global && { global: toRegion(global) }),
    };
  }

  #getPin({ offerId }: { offerId: string }): number {
    return this.#pins.get(offerId) ?? Infinity;
  }

  #buildList(offers: readonly Offer[], country: string | undefined): PosOffer[] {
    const shown = offers.map((offer) => this.#view(offer));
    const rank = (offer: PosOffer) =>
      "subType" in offer
        ? SUBTYPE_ORDER.indexOf(offer.subType)
        : Number(country !== undefined && offer.country !== country);
    return shown.sort(
      (a, b) =>
        byPin(this.#getPin(a), this.#getPin(b)) ||
        rank(a) - rank(b) ||
        (a.price.fixed ?? Infinity) - (b.price.fixed ?? Infinity) ||
        a.offerId.localeCompare(b.offerId),
    );
  }
}

interface IndexPlace {
  country?: string | undefined;
  region?: string | undefined;
  brand?: string | undefined;
}

function toKey(family: ProductFamily, { country, region, brand }: IndexPlace): string {
  return JSON.stringify([family, country ?? "", region ?? "", brand ?? ""]);
}

function listKeys(offer: Offer): string[] {
  const { productType: family, brand } = offer;
  const places: IndexPlace[] = [
    {},
    ...listCountries(offer).map((country) => ({ country })),
    ...(getArea(offer)?.regions ?? []).map((region) => ({ region })),
  ];
  return places.flatMap((place) => [toKey(family, place), toKey(family, { ...place, brand })]);
}

function listCountries(offer: Offer): string[] {
  return [...new Set([offer.country, ...listRoaming(offer)])].filter((country) => country !== "");
}

function toDestination(plans: readonly EsimOffer[]) {
  const prices = plans.map((plan) => getFixedPrice(plan) ?? Infinity);
  return { offers: plans.length, fromPrice: Math.min(...prices) };
}

function toRegion(plans: readonly EsimOffer[]) {
  const countries = [...new Set(plans.flatMap(listCountries))].sort();
  return { ...toDestination(plans), countries };
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

/** Compares pin positions. Unpinned offers have `Infinity`, and `Infinity - Infinity` is NaN. */
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

/** Minor units of the wallet's currency. */
interface CostRange {
  least: number;
  usual: number;
}

function fixedCosts(offers: readonly Offer[]): number[] {
  return offers.filter(({ priceType }) => priceType === "FIXED").map(getLowestCost);
}

function toCostRange(costs: readonly number[]): CostRange | undefined {
  const sorted = costs.toSorted((a, b) => a - b);
  const [least] = sorted;
  const usual = sorted[sorted.length >> 1];
  return least === undefined || usual === undefined ? undefined : { least, usual };
}

function toPosOffer(offer: Offer, brand: CatalogBrand | undefined, costRank: number): PosOffer {
  return { ...COUNTER_FAMILIES[offer.productType].view(offer, brand), costRank };
}

function getFixedPrice({ price }: Offer): number | undefined {
  return price.fixed === undefined ? undefined : price.fixed + price.fee;
}

export interface PricedOffer {
  offer: Offer;
  /** Present for a RANGE offer. */
  value?: PurchaseValue;
  quote: Quote;
}

/**
 * Quotes an offer. If a FIXED offer of the same kind delivers or costs the amount typed for a RANGE
 * offer, the FIXED offer is sold, so that an amount has one price (docs/decisions/0046).
 * @throws Problem VALUE_REQUIRED, VALUE_NOT_ALLOWED, VALUE_OUT_OF_RANGE
 */
export function priceAtCounter(
  snapshot: CatalogSnapshot,
  offer: Offer,
  value: PurchaseValue | undefined,
): PricedOffer {
  const quote = quoteOffer(offer, value);
  const fixed = offer.priceType === "RANGE" ? findFixed(snapshot, offer, quote) : undefined;
  return fixed
    ? { offer: fixed, quote: quoteOffer(fixed, undefined) }
    : { offer, ...(value && { value }), quote };
}

function findFixed(snapshot: CatalogSnapshot, range: Offer, quote: Quote): Offer | undefined {
  const alike = CounterCatalog.of(snapshot)
    .listOfBrand(range.productType, range.brand)
    .filter((offer) => offer.priceType === "FIXED" && isOfKind(offer, range));
  const paid = quote.priceBase + quote.priceFee;
  return (
    alike.find((offer) => "send" in offer && offer.send.fixed === quote.send) ??
    alike.find(({ price }) => (price.fixed ?? 0) + price.fee === paid)
  );
}

function isOfKind(offer: Offer, range: Offer): boolean {
  const { kindOf } = COUNTER_FAMILIES[range.productType];
  const kind = kindOf(offer);
  return kind !== null && kind === kindOf(range);
}
