import { Decimal } from "decimal.js";
import * as iso from "dinero.js/currencies";

/** Decimal arithmetic for exchange rates, with enough precision for exact products. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });
export type Exact = Decimal;

export interface Unit {
  currency: string;
  currencyDivisor: number;
}

/** The shop's currency, and its exchange rate to the wallet's currency. */
export interface PricingTerms extends Unit {
  /** Units of the shop's currency per unit of the wallet's currency, as an exact decimal. */
  rate: string;
  /** The shop's country, ISO 3166-1 alpha-2; empty or absent if unknown. */
  country?: string;
}

export function toMajor(amount_minor: number, divisor: number): Exact {
  return new Exact(amount_minor).div(divisor);
}

/**
 * Converts major to minor units. Use `up` for amounts to pay, and `down` for delivered amounts
 * (rules#money-exact-arithmetic).
 * @throws RangeError if the amount is not a safe integer
 */
export function toMinor(major: Exact, divisor: number, rounding: "up" | "down"): number {
  const scaled = major.mul(divisor);
  const minor = (rounding === "up" ? scaled.ceil() : scaled.floor()).toNumber();
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${scaled.toString()} is out of range`);
  return minor;
}

/** Returns minor units; undefined if the amount has more decimals than its currency. */
export function toMinorExactly(major: Exact, divisor: number): number | undefined {
  const minor = major.mul(divisor).toNumber();
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** Formats an amount in major units with a dot and the currency's decimals, e.g. "12.50". */
export function majorText(amount_minor: number, divisor: number): string {
  return toMajor(amount_minor, divisor).toFixed(Math.log10(divisor));
}

/** Formats an amount for logs and the command line, e.g. `12.50 USD`. */
export function describeAmount(amount_minor: number, unit: Unit): string {
  return `${majorText(amount_minor, unit.currencyDivisor)} ${unit.currency}`;
}

const byCode = new Map(Object.values(iso).map((currency) => [currency.code as string, currency]));

export function isCurrency(code: string): boolean {
  return byCode.has(code);
}

/**
 * Returns the number of minor units per major unit by ISO 4217: 1, 10, 100 or 1000.
 * @throws RangeError for a code that ISO 4217 does not list
 */
export function currencyDivisor(code: string): number {
  const currency = byCode.get(code);
  if (!currency) throw new RangeError(`${code} is not an ISO 4217 currency`);
  return currency.base === 10 ? 10 ** currency.exponent : 100;
}
