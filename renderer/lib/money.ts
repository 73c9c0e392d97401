import {
  currencySymbol,
  formatMoney,
  fractionDigits,
  isolateAmount,
  type MoneyOptions,
  type MoneyStyle,
  toDecimal,
  trueMinus,
} from "../../server/contract/pos/money-text.ts";
import { directionOf, latinDigits, withoutIsolates } from "./direction.ts";

export { currencySymbol, formatMoney, fractionDigits, type MoneyStyle, toDecimal };

/** A currency and the number of its minor units in a major unit. */
export interface MoneyUnit {
  readonly currency: string;
  readonly currencyDivisor: number;
}

/**
 * Parses a typed amount into minor units; undefined if the text is no amount. Accepts one point or
 * comma, and no more decimals than the currency has.
 */
export function parseAmount(text: string, divisor: number): number | undefined {
  const match = /^(\d{1,12})(?:[.,](\d*))?$/.exec(latinDigits(text).trim());
  const digits = fractionDigits(divisor);
  const rest = match?.[2] ?? "";
  if (!match || rest.length > digits) {
    return undefined;
  }
  return Number(match[1]) * divisor + Number(rest.padEnd(digits, "0") || "0");
}

export function areWhole(amounts: readonly number[], divisor: number): boolean {
  return amounts.every((minor) => minor % divisor === 0);
}

/**
 * Formats two amounts of a currency with equal decimals. Names the currency once, in the locale's
 * position.
 */
export function formatRange(
  [min, max]: readonly [number, number],
  currency: string,
  divisor: number,
  options: Omit<MoneyOptions, "short">,
): string {
  const short = areWhole([min, max], divisor);
  const digits = short ? 0 : fractionDigits(divisor);
  const number = new Intl.NumberFormat(options.locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const plain = (minor: number) => number.format(toDecimal(minor, divisor));
  const named = (minor: number) =>
    withoutIsolates(formatMoney(minor, currency, divisor, { ...options, short }));
  const range = endsWithCurrency(options.locale)
    ? `${plain(min)} – ${named(max)}`
    : `${named(min)} – ${plain(max)}`;
  return isolateAmount(trueMinus(range), options.locale);
}

/** Returns whether `formatMoney` writes "5 €" instead of "€5". */
function endsWithCurrency(locale: string): boolean {
  if (directionOf(locale) === "rtl") return false;
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" })
    .formatToParts(1)
    .filter(({ type }) => type === "integer" || type === "currency");
  return parts.at(-1)?.type === "currency";
}

/** Formats a tax rate with all its decimals: "8.875%". */
export function formatTaxRate(rate: string, locale: string): string {
  return formatPercent(Number(rate), locale, 6);
}

export function formatNumber(value: number | `${number}`, locale: string, digits = 9): string {
  return trueMinus(new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value));
}

/** Formats a percentage in a locale: "15%", in French with a no-break space. */
export function formatPercent(value: number, locale: string, digits = 2): string {
  const style = { style: "percent", maximumFractionDigits: digits } as const;
  return trueMinus(new Intl.NumberFormat(locale, style).format(value / 100));
}
