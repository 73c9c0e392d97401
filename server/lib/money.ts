import { Decimal } from "decimal.js";

/** Decimal arithmetic for exchange rates: wide enough that no product of ours is ever rounded. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });
export type Exact = Decimal;

/** A currency and what its minor units are divided by for display. */
export interface Unit {
  currency: string;
  currencyDivisor: number;
}

/** The shop's currency, and its exchange rate to the wallet's. */
export interface PricingTerms extends Unit {
  /** Units of the shop's currency for one of the wallet's, an exact decimal as text. */
  rate: string;
}

/** Major units of an integer amount in minor units. */
export function toMajor(amount_minor: number, divisor: number): Exact {
  return new Exact(amount_minor).div(divisor);
}

/**
 * Minor units of a major amount, rounded `up` (what is paid) or `down` (what is delivered)
 * (rules#money-exact-arithmetic).
 * @throws RangeError when the amount is not a safe integer.
 */
export function toMinor(major: Exact, divisor: number, rounding: "up" | "down"): number {
  const scaled = major.mul(divisor);
  const minor = (rounding === "up" ? scaled.ceil() : scaled.floor()).toNumber();
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${scaled.toString()} is out of range`);
  return minor;
}

/** An amount in major units, with a dot and as many decimals as its currency has; such as "12.50". */
export function majorText(amount_minor: number, divisor: number): string {
  return toMajor(amount_minor, divisor).toFixed(Math.log10(divisor));
}

/** An amount for a log or the command line, e.g. `12.50 USD`. Screens format by locale instead. */
export function describeAmount(amount_minor: number, unit: Unit): string {
  return `${majorText(amount_minor, unit.currencyDivisor)} ${unit.currency}`;
}
