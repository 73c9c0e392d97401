import { isDeepStrictEqual } from "node:util";
import type { Offer } from "../../../contract/v1/offers.ts";
import { pause } from "../../../lib/clock.ts";
import {
  FIRST_PROVIDER,
  findSupply,
  listProductIds,
  withProductIds,
  withSupply,
} from "../../../providers/supply.ts";
import type { CatalogChoices } from "./catalog-choices.ts";
import { quoteDelivered, sumCost } from "./offer-quote.ts";
import { findOrder, toSoldBrand } from "./provider-routing.ts";

const MERGED_AT_A_TIME = 200;

export interface Products {
  /** One offer for each product: that of the chosen provider, with the product's id. */
  offers: readonly Offer[];
  /**
   * Offers of the same products, by id. They are in no list, but can be bought by their own id.
   * They are not copied, because there can be more of them than products.
   */
  hidden: ReadonlyMap<string, HiddenOffer>;
  /** Offers that could be one product. The owner chooses the offers that are equal. */
  unclear: readonly UnclearProduct[];
}

/** Offers with equal keys, of which a provider states two. */
type UnclearProduct = readonly Offer[];

interface HiddenOffer {
  stated: Offer;
  product: Offer;
}

/** Returns a hidden offer as it is sold: with the brand of its product, and all ids of the product. */
export function toSoldOffer({ stated, product }: HiddenOffer): Offer {
  const { brand, brandName } = product;
  return withProductIds({ ...stated, brand, brandName }, listProductIds(product));
}

/**
 * Merges offers of several providers that deliver the same: family, brand, country, amount,
 * contents, delivery type and required fields. A direct credit, and a bundle without stated contents,
 * must also have the same text. A product has the id of the provider that was connected first
 * (rules#provider-product).
 */
export async function mergeProducts(
  stated: readonly Offer[],
  choices: CatalogChoices,
): Promise<Products> {
  if (!stated.some((offer) => findSupply(offer))) {
    return { offers: stated, hidden: new Map(), unclear: [] };
  }
  const groups = new Map<string, Offer[]>();
  for (const [index, offer] of stated.entries()) {
    if (index % MERGED_AT_A_TIME === MERGED_AT_A_TIME - 1) await pause();
    const key = toProductKey(offer, choices);
    const group = groups.get(key);
    if (group) group.push(offer);
    else groups.set(key, [offer]);
  }
  const offers: Offer[] = [];
  const hidden = new Map<string, HiddenOffer>();
  const unclear: UnclearProduct[] = [];
  for (const [index, group] of [...groups.values()].entries()) {
    if (index % MERGED_AT_A_TIME === MERGED_AT_A_TIME - 1) await pause();
    const isOfSeveral = new Set(group.map(providerOf)).size > 1;
    if (isOfSeveral && isAmbiguous(group)) unclear.push(group.toSorted(byProvider));
    for (const [only, ...others] of splitGroup(group, choices)) {
      if (others.length === 0) {
        offers.push(only);
        continue;
      }
      for (const other of others) shareParts(other, only);
      const ids = [only, ...others].map(({ offerId }) => offerId);
      const chosen = toProduct(only, choose([only, ...others], choices));
      const product = withProductIds(chosen, ids);
      offers.push(product);
      for (const stated of others) hidden.set(stated.offerId, { stated, product });
    }
  }
  return { offers, hidden, unclear };
}

type Group = readonly [Offer, ...Offer[]];

/**
 * Returns the products of offers with equal keys. If a provider states two of them, only their texts
 * distinguish them: none is merged unless the owner chose the offer that it equals.
 */
function splitGroup(group: readonly Offer[], { routing }: CatalogChoices): Group[] {
  const sorted = group.toSorted(byProvider);
  if (!isAmbiguous(sorted)) return [sorted as unknown as Group];
  const { products = {} } = routing;
  const parts = Map.groupBy(sorted, ({ offerId }) => products[offerId] ?? offerId);
  return [...parts.values()].flatMap((part): Group[] =>
    isAmbiguous(part) ? part.map((offer) => [offer]) : [part as unknown as Group],
  );
}

function isAmbiguous(group: readonly Offer[]): boolean {
  return new Set(group.map(providerOf)).size < group.length;
}

export interface ProductCosts {
  /** Offer with the product's id. */
  product: Offer;
  /** Provider that sells the product now. */
  used: string;
  costs: { providerId: string; cost: number }[];
}

/** Compares the costs of a brand's products that several providers state. */
export function compareCosts(
  stated: readonly Offer[],
  choices: CatalogChoices,
  brand: string,
): ProductCosts[] {
  const ofBrand = stated.filter((offer) => getSoldBrand(offer, choices) === brand);
  const groups = Map.groupBy(ofBrand, (offer) => toProductKey(offer, choices));
  const products = [...groups.values()].flatMap((group) => splitGroup(group, choices));
  return products.flatMap((offers) => {
    if (offers.length === 1) return [];
    const costs = offers.map((one) => ({ providerId: providerOf(one), cost: costOf(one) }));
    return [{ product: offers[0], used: providerOf(choose(offers, choices)), costs }];
  });
}

/** Returns the brand under which an offer is sold: the owner may have joined its own to another. */
export function getSoldBrand({ brand }: Offer, { routing }: CatalogChoices): string {
  return toSoldBrand(brand, routing);
}

const CONTENTS = "dataGB dataUnlimited smsNumber smsUnlimited voiceMinutes voiceUnlimited".split(
  " ",
);

/** Offers with equal keys deliver the same, unless one provider states two of them. */
function toProductKey(offer: Offer, choices: CatalogChoices): string {
  const { productType, country, priceType, subTypes, regions } = offer;
  // An eSIM and a bill are more than their amount.
  if (!("send" in offer) || productType === "BILL_PAY") return offer.offerId;
  const { currency, currencyDivisor, fixed, min, max } = offer.send;
  const read = (name: string) => (offer as unknown as Record<string, unknown>)[name];
  const contents = CONTENTS.map(read);
  const delivery =
    productType === "VOUCHER" ? [offer.deliveryType, offer.requiredFields.toSorted()] : [];
  const isTextDecisive =
    productType === "VOUCHER"
      ? offer.deliveryType === "DIRECT_CREDIT"
      : !(subTypes as string[]).includes("Mobile Top Up") && !contents.some(Boolean);
  return JSON.stringify([
    [productType, getSoldBrand(offer, choices), country, priceType],
    [currency, currencyDivisor, fixed, min, max],
    [[...subTypes].sort(), [...regions].sort(), contents, read("durationDays"), delivery],
    // Only its text tells which credit or bundle this is.
    isTextDecisive ? offer.notes.trim().toLowerCase() : "",
  ]);
}

export function providerOf(offer: Offer): string {
  return findSupply(offer)?.providerId ?? FIRST_PROVIDER;
}

function byProvider(one: Offer, other: Offer): number {
  const numberOf = (offer: Offer) => Number(providerOf(offer).replace(/\D/g, ""));
  return numberOf(one) - numberOf(other);
}

/** Returns the preferred offer that works, and by default the cheapest. */
function choose(group: readonly [Offer, ...Offer[]], choices: CatalogChoices): Offer {
  return rank(group, choices)[0] ?? group[0];
}

/**
 * Lists a product's offers that work, the preferred one first, each with the product's id.
 * @param stated offers of all providers
 * @param product as `mergeProducts` returns it
 */
export function listSuppliers(
  stated: readonly Offer[],
  product: Offer,
  choices: CatalogChoices,
): Offer[] {
  const ids = listProductIds(product);
  const [head, ...others] = stated.filter(({ offerId }) => ids.includes(offerId)).sort(byProvider);
  if (!head || others.length === 0 || choices.switches.isOff(product)) return [];
  return rank([head, ...others], choices)
    .filter((offer) => !hasTrouble(offer, head.brand, choices))
    .map((offer) => withProductIds(toProduct(head, offer), ids));
}

/** Returns whether sales through the offer's provider fail at present. */
function hasTrouble(
  offer: Offer,
  brand: string,
  { troubledProviders, pausedPairs }: CatalogChoices,
): boolean {
  const provider = providerOf(offer);
  return troubledProviders.has(provider) || pausedPairs.has(`${provider}/${brand}`);
}

/** Sorts the offers that are on, the preferred one first. */
function rank(group: readonly [Offer, ...Offer[]], choices: CatalogChoices): Offer[] {
  const { offProviders, routing } = choices;
  const [head] = group;
  const order = findOrder(routing, head);
  const placeOf = (offer: Offer) => {
    const place = order.indexOf(providerOf(offer));
    return place < 0 ? order.length : place;
  };
  const working = group.filter((offer) => offer.enabled && !offProviders.has(providerOf(offer)));
  const troubleOf = (offer: Offer) => Number(hasTrouble(offer, head.brand, choices));
  return working.toSorted(
    (one, other) =>
      troubleOf(one) - troubleOf(other) ||
      placeOf(one) - placeOf(other) ||
      costOf(one) - costOf(other),
  );
}

/** Returns the cost of the largest amount, for which a percentage counts most. */
export function costOf(offer: Offer): number {
  return sumCost(quoteDelivered(offer, getLargestAmount(offer)));
}

export function getLargestAmount(offer: Offer): number {
  return "send" in offer ? (offer.send.fixed ?? offer.send.max ?? 0) : 0;
}

/**
 * Replaces parts of an offer by equal parts of another one. Three providers that state the same
 * products then need little more memory than one provider.
 */
function shareParts(offer: Offer, source: Offer): void {
  const [parts, known] = [offer, source] as unknown as Record<string, unknown>[];
  if (!parts || !known) return;
  for (const [name, part] of Object.entries(parts)) {
    if (isDeepStrictEqual(part, known[name])) parts[name] = known[name];
  }
}

function toProduct(head: Offer, chosen: Offer): Offer {
  if (head === chosen) return { ...head };
  const { offerId, brand, brandName, createdAt } = head;
  const supply = findSupply(chosen) ?? { providerId: FIRST_PROVIDER, productId: chosen.offerId };
  return withSupply({ ...chosen, offerId, brand, brandName, createdAt }, supply);
}
