import { Decimal } from "decimal.js";
import { currencyDivisor } from "../../lib/iso-4217.ts";
import type { Terms, UsdRange } from "./tables.ts";
import type { FixedMoney, RangeMoney } from "./types.ts";

const FX_DIGITS = 12;
/** Calculated delivered values of at least this number of major units are whole numbers. */
const WHOLE_FROM = 200;
const Exact = Decimal.clone({ precision: 60 });

const USD = { currency: "USD", currencyDivisor: 100 } as const;

/** The operator's currency, and its units per US dollar at the reference rate. */
export interface SendCurrency {
  readonly currency: string;
  readonly rate: Decimal;
}

/**
 * Returns cost and price of a fixed delivered value.
 * @param face face value in major units of the operator's currency
 */
export function fixedMoney(
  face: Decimal,
  { currency, rate }: SendCurrency,
  terms: Terms,
): FixedMoney {
  const divisor = currencyDivisor(currency);
  const send = new Exact(face).times(divisor);
  if (!send.isInteger()) throw new Error(`${face} ${currency} has more decimals than ${currency}`);
  const faceCents = new Exact(face).div(rate).times(100);
  const cost = faceCents.times(share(terms.discountPct.neg())).ceil();
  const price = sensible(faceCents.times(share(terms.markupPct)), terms.markupPct);
  return {
    priceType: "FIXED",
    cost: { ...USD, fixed: cost.toNumber(), ...costTerms(terms.discountPct, terms) },
    price: {
      ...USD,
      fixed: price.toNumber(),
      margin: marginPct(cost, price),
      suggestedFixed: price.toNumber(),
      suggestedFx: 0,
      fee: terms.priceFeeCents,
    },
    send: { currency, currencyDivisor: divisor, fixed: send.toNumber() },
  };
}

/**
 * Returns the prices of an any-amount top-up. All limits derive from the smallest price. Its cost
 * and delivered value are whole minor units, and the largest price is a multiple of it. So a value
 * within the limits of price, cost or delivery is within the other two limits too.
 */
export function rangeMoney(
  range: UsdRange,
  { currency, rate }: SendCurrency,
  terms: Terms,
): RangeMoney {
  const divisor = currencyDivisor(currency);
  const times = range.max.div(range.min);
  const priceMin = new Exact(range.min).times(100);
  const costShare = share(terms.discountPct.neg()).div(share(terms.markupPct));
  const costMin = priceMin.times(costShare.toDecimalPlaces(2));
  const sendMin = priceMin.div(100).times(rate).div(share(terms.markupPct)).times(divisor).floor();
  const priceFx = fx(sendMin, priceMin, divisor);
  const costFx = fx(sendMin, costMin, divisor);
  const face = sendMin.div(divisor).div(rate).times(100);
  const discount = face.minus(costMin).div(face).times(100).toDecimalPlaces(1);

  const money: RangeMoney = {
    priceType: "RANGE",
    cost: { ...USD, fx: costFx, ...limits(costMin, times), ...costTerms(discount, terms) },
    price: {
      ...USD,
      fx: priceFx,
      ...limits(priceMin, times),
      increment: range.step.times(100).toNumber(),
      margin: marginPct(costMin, priceMin),
      suggestedFixed: 0,
      suggestedFx: priceFx,
      fee: terms.priceFeeCents,
    },
    send: { currency, currencyDivisor: divisor, fx: 1, ...limits(sendMin, times) },
  };
  assertAgreement(money);
  return money;
}

/**
 * Returns the prices of a top-up that costs round dollars. It delivers as much as the free value at
 * that price. From `WHOLE_FROM` units up, the fraction of a unit is dropped.
 * @param usd suggested price in US dollars, a possible price of the free value
 */
export function pricedMoney(
  usd: Decimal,
  range: UsdRange,
  send: SendCurrency,
  terms: Terms,
): FixedMoney {
  if (usd.lt(range.min) || usd.gt(range.max) || !usd.minus(range.min).mod(range.step).isZero()) {
    throw new Error(`${usd} USD is no price of the free value`);
  }
  const free = rangeMoney(range, send, terms);
  const divisor = free.send.currencyDivisor;
  const cents = usd.times(100).toNumber();
  const exact = delivered(cents, free.price.fx, divisor);
  const face = exact < WHOLE_FROM * divisor ? exact : exact - (exact % divisor);
  const cost = centsFor(face, free.cost.fx, divisor);
  const { discount, fee, feePct } = free.cost;
  return {
    priceType: "FIXED",
    cost: { ...USD, fixed: cost, discount, fee, feePct },
    price: {
      ...USD,
      fixed: cents,
      margin: marginPct(new Decimal(cost), new Decimal(cents)),
      suggestedFixed: cents,
      suggestedFx: 0,
      fee: terms.priceFeeCents,
    },
    send: { currency: free.send.currency, currencyDivisor: divisor, fixed: face },
  };
}

function limits(min: Decimal, times: Decimal): { min: number; max: number } {
  return { min: min.toNumber(), max: min.times(times).toNumber() };
}

/**
 * Returns the units delivered per US dollar. Rounded up, so that the smallest value is still
 * delivered in full.
 */
function fx(send: Decimal, cents: Decimal, divisor: number): number {
  return send
    .div(divisor)
    .div(cents.div(100))
    .toSignificantDigits(FX_DIGITS, Decimal.ROUND_UP)
    .toNumber();
}

function share(pct: Decimal): Decimal {
  return new Exact(pct).div(100).plus(1);
}

function costTerms(discount: Decimal, terms: Terms) {
  return {
    discount: discount.toNumber(),
    fee: terms.costFeeCents,
    feePct: terms.costFeePct.toNumber(),
  };
}

function marginPct(cost: Decimal, price: Decimal): number {
  return price.div(cost).minus(1).times(100).toDecimalPlaces(2).toNumber();
}

/** Rounds a price with markup up to a common price. */
function sensible(cents: Decimal, markupPct: Decimal): Decimal {
  if (markupPct.isZero()) return cents.ceil();
  const step = priceStep(cents);
  return cents.div(step).ceil().times(step);
}

function priceStep(cents: Decimal): number {
  if (cents.lt(1_000)) return 5;
  return cents.lt(5_000) ? 25 : 50;
}

/** Returns the delivered value, rounded down to the send currency's minor unit. */
function delivered(cents: number, rate: number, divisor: number): number {
  return new Exact(cents).div(100).times(rate).times(divisor).floor().toNumber();
}

/** Returns the price of a delivered value, rounded up to the cent. */
function centsFor(send: number, rate: number, divisor: number): number {
  return new Exact(send).div(divisor).div(rate).times(100).ceil().toNumber();
}

function assertAgreement({ cost, price, send }: RangeMoney): void {
  const divisor = send.currencyDivisor;
  for (const end of ["min", "max"] as const) {
    const agrees =
      delivered(price[end], price.fx, divisor) === send[end] &&
      delivered(cost[end], cost.fx, divisor) === send[end] &&
      centsFor(send[end], price.fx, divisor) === price[end] &&
      centsFor(send[end], cost.fx, divisor) === cost[end];
    if (!agrees) throw new Error(`price, send and cost disagree at the range's ${end}`);
  }
}
