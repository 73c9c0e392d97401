import { FAMILY_FACTS } from "../../contract/pos/families.ts";
import type { PosPromo } from "../../contract/pos/promos.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import { Exact } from "../../lib/money.ts";
import type { CatalogPromo, PricingTerms } from "../catalog/index.ts";

/** Whether a customer gets what a promotion promises: surely, perhaps, or not. */
export type Promised = "YES" | "MAY" | "NO";

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

const EXCLUDES = [
  /unlimited\b[^.]*\b(excluded|excepted|not included|not part|do not count)\b/i,
  /\b(except|excludes?|excluding|but not|not (?:for|on|with|valid for))\b[^.]*\bunlimited\b/i,
];

/** What the terms say of unlimited plans, as far as they can be read: they are written in words. */
function byUnlimited(texts: RunningPromo["texts"]): Promised {
  const english = texts.find(({ language }) => language === "en");
  if (!english) return "MAY";
  const words = `${english.description} ${english.terms}`;
  if (EXCLUDES.some((pattern) => pattern.test(words))) return "NO";
  return /unlimited/i.test(words) ? "MAY" : "YES";
}
