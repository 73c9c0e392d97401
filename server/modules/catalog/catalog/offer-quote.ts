import type { PriceChannel, PriceTax } from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer, Price, ProductFamily, TopupOffer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../db/changes.ts";
import { Exact, type PricingTerms, toMajor, toMinor, type Unit } from "../../../lib/money.ts";

export interface Pricing {
  /** Equal stamps mean equal prices. */
  readonly stamp: string;
  /** Unix time in milliseconds; infinite if the prices have no start or no end. */
  readonly from: number;
  readonly until: number;
  readonly terms: PricingTerms;
  readonly splitsChannels: boolean;
  /** Returns the offer in the shop's currency. An offer without a price is disabled. */
  price(offer: Offer, channel: PriceChannel): Offer;
  /** rules#money-tax-frozen */
  getTax(family: ProductFamily): PriceTax;
}

export interface PricedScope extends Scope {
  channel?: PriceChannel;
  /** The request's commit stamp, if known. */
  asOf?: number;
}

/** Significant digits of a rate. A double represents twelve digits exactly. */
const FX_DIGITS = 12;

/**
 * Converts the suggested price with its limits, increment and `fx` into the shop's currency at the
 * exact rate. Prices are rounded up (rules#money-exchange-rate). Purchases use the converted block,
 * so that an integrator can recalculate the amounts.
 */
export function priceOffer<Priced extends Offer>(offer: Priced, terms: PricingTerms): Priced {
  const { price } = offer;
  if (price.currency === terms.currency) return offer;
  const rate = new Exact(terms.rate);

  function convert(amount_minor: number): number {
    return toMinor(
      toMajor(amount_minor, price.currencyDivisor).mul(rate),
      terms.currencyDivisor,
      "up",
    );
  }
  function convertFx(fx: number): number {
    return new Exact(fx).div(rate).toSignificantDigits(FX_DIGITS).toNumber();
  }

  const converted: Price = {
    currency: terms.currency,
    currencyDivisor: terms.currencyDivisor,
    margin: price.margin,
    suggestedFixed: convert(price.suggestedFixed),
    suggestedFx: convertFx(price.suggestedFx),
    fee: convert(price.fee),
    ...(price.fixed !== undefined && { fixed: convert(price.fixed) }),
    ...(price.fx !== undefined && { fx: convertFx(price.fx) }),
    ...(price.min !== undefined && { min: convert(price.min) }),
    ...(price.max !== undefined && { max: convert(price.max) }),
    ...(price.increment !== undefined && { increment: convert(price.increment) }),
  };
  return { ...offer, price: converted };
}

/** Amounts of a purchase in minor units. */
export interface Quote {
  costBase: number;
  costFee: number;
  priceBase: number;
  priceFee: number;
  send: number;
}

type QuoteTerms = Pick<TopupOffer, "priceType" | "cost" | "price"> &
  Partial<Pick<TopupOffer, "send">>;

/** Returns the unit of the delivered amount; for an eSIM, which delivers no money, of the cost. */
export function sendUnitOf(offer: Offer): Unit {
  return "send" in offer ? offer.send : offer.cost;
}

/**
 * Quotes an offer. In major units, `delivered = price × price.fx = cost × cost.fx`
 * (rules#money-value-types). The delivered amount is rounded down, cost and price are rounded up.
 * Fees are added afterwards.
 * @throws Problem VALUE_REQUIRED, VALUE_NOT_ALLOWED or VALUE_OUT_OF_RANGE, naming the field
 */
export function quoteOffer(offer: QuoteTerms, value: PurchaseValue | undefined): Quote {
  if (offer.priceType !== "FIXED") return withFees(offer, rangeAmounts(offer, value));
  const known = value ? undefined : fixedQuotes.get(offer);
  if (known) return { ...known };
  const quote = withFees(offer, fixedAmounts(offer, value));
  fixedQuotes.set(offer, quote);
  return { ...quote };
}

/** Quotes of FIXED offers, which never change. Exact arithmetic takes longer than a read. */
const fixedQuotes = new WeakMap<QuoteTerms, Quote>();

/** Quotes a delivered amount without checking the offer's limits. A FIXED offer ignores `send`. */
export function quoteDelivered(offer: QuoteTerms, send: number): Quote {
  const fixed = offer.priceType === "FIXED";
  return withFees(offer, fixed ? fixedAmounts(offer, undefined) : deliveredAmounts(offer, send));
}

/** Returns the cost of the smallest value, with fees. */
export function getLowestCost(offer: QuoteTerms): number {
  const costBase = offer.cost.fixed ?? offer.cost.min ?? 0;
  return sumCost(withFees(offer, { costBase, priceBase: 0, send: 0 }));
}

export function sumCost({ costBase, costFee }: Pick<Quote, "costBase" | "costFee">): number {
  return costBase + costFee;
}

function withFees(offer: QuoteTerms, { costBase, priceBase, send }: Amounts): Quote {
  const feeOfBase = toMajor(costBase, offer.cost.currencyDivisor).mul(offer.cost.feePct).div(100);
  return {
    costBase,
    costFee: offer.cost.fee + toMinor(feeOfBase, offer.cost.currencyDivisor, "up"),
    priceBase,
    priceFee: offer.price.fee,
    send,
  };
}

type Amounts = Pick<Quote, "costBase" | "priceBase" | "send">;

function fixedAmounts(offer: QuoteTerms, value: PurchaseValue | undefined): Amounts {
  if (value) {
    throw new Problem("VALUE_NOT_ALLOWED", "This offer has a fixed value; leave value out.", {
      value: "must be left out for a FIXED offer",
    });
  }
  return {
    costBase: offer.cost.fixed ?? 0,
    priceBase: offer.price.fixed ?? 0,
    send: offer.send?.fixed ?? 0,
  };
}

function rangeAmounts(offer: QuoteTerms, value: PurchaseValue | undefined): Amounts {
  if (!value) {
    throw new Problem("VALUE_REQUIRED", "This offer needs a value.", {
      value: "is required for a RANGE offer",
    });
  }
  switch (value.type) {
    case "PRICE": {
      checkRange(value, offer.price, offer.price.increment);
      const delivered = deliveredFor(offer, value.value, offer.price);
      return { ...deliveredAmounts(offer, delivered), priceBase: value.value };
    }
    case "COST": {
      checkRange(value, offer.cost);
      const delivered = deliveredFor(offer, value.value, offer.cost);
      return { ...deliveredAmounts(offer, delivered), costBase: value.value };
    }
    case "ZEND": {
      checkRange(value, offer.send ?? offer.cost);
      return deliveredAmounts(offer, value.value);
    }
  }
}

function deliveredFor(offer: QuoteTerms, amount: number, paid: Unit & { fx?: number }): number {
  const { currencyDivisor } = offer.send ?? offer.cost;
  const delivered = toMajor(amount, paid.currencyDivisor).mul(new Exact(paid.fx ?? 0));
  return toMinor(delivered, currencyDivisor, "down");
}

function deliveredAmounts(offer: QuoteTerms, send: number): Amounts {
  const delivered = toMajor(send, (offer.send ?? offer.cost).currencyDivisor);
  function paidIn(block: Unit & { fx?: number }): number {
    return toMinor(delivered.div(new Exact(block.fx ?? 0)), block.currencyDivisor, "up");
  }
  return { send, costBase: paidIn(offer.cost), priceBase: paidIn(offer.price) };
}

function checkRange(
  value: PurchaseValue,
  block: { min?: number; max?: number; currency: string },
  increment?: number,
): void {
  const { min = 0, max = 0, currency } = block;
  const inRange = value.value >= min && value.value <= max;
  if (inRange && (increment === undefined || (value.value - min) % increment === 0)) return;
  const steps = increment === undefined ? "" : ` in steps of ${increment}`;
  const rule = `must be ${min} to ${max}${steps} (minor units of ${currency})`;
  throw new Problem("VALUE_OUT_OF_RANGE", `The value ${value.value} ${rule}.`, {
    "value.value": rule,
  });
}

type ViewedRange = Pick<
  TopupOffer["send"],
  "currency" | "currencyDivisor" | "fixed" | "min" | "max"
>;

export function viewRange({
  currency,
  currencyDivisor,
  fixed,
  min,
  max,
}: ViewedRange): ViewedRange {
  return {
    currency,
    currencyDivisor,
    ...(fixed !== undefined && { fixed }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}
