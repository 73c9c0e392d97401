import { trueMinus } from "../../server/contract/pos/true-minus.ts";
import { isolateAmount, latinDigits, withoutIsolates } from "./direction.ts";

/**
 * Style of an amount: `symbol` if the currency is unambiguous, `code` if two currencies may appear.
 */
export type MoneyStyle = "symbol" | "code";

export function fractionDigits(divisor: number): number {
  return Math.max(0, Math.round(Math.log10(divisor)));
}

/** Formats minor units as exact decimal text: 5200 with divisor 100 is "52.00". */
export function toDecimal(minor: number, divisor: number): `${number}` {
  const digits = fractionDigits(divisor);
  const sign = minor < 0 ? "-" : "";
  const text = Math.abs(minor)
    .toString()
    .padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const rest = digits === 0 ? "" : `.${text.slice(-digits)}`;
  return `${sign}${whole}${rest}` as `${number}`;
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

interface MoneyOptions {
  readonly locale: string;
  readonly style?: MoneyStyle;
  /** Omits ".00", for notes and tiles with round amounts. */
  readonly short?: boolean;
}

/** Formats an amount in a locale, with the decimals of its divisor instead of Intl's own. */
export function formatMoney(
  minor: number,
  currency: string,
  divisor: number,
  { locale, style = "symbol", short = false }: MoneyOptions,
): string {
  const digits = short && minor % divisor === 0 ? 0 : fractionDigits(divisor);
  const text = moneyFormat(locale, currency, style, digits).format(toDecimal(minor, divisor));
  return isolateAmount(trueMinus(text), locale);
}

const formats = new Map<string, Intl.NumberFormat>();

function moneyFormat(
  locale: string,
  currency: string,
  style: MoneyStyle,
  digits: number,
): Intl.NumberFormat {
  const key = `${locale} ${currency} ${style} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: style === "symbol" ? symbolStyle(locale, currency) : "code",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}

/** Languages whose wide symbol is the usual one: "ج.م." instead of "E£", "US$" beside "R$". */
const WIDE_SYMBOLS: ReadonlySet<string> = new Set(["ar", "pt"]);

/**
 * Returns the style of a currency's symbol in a locale: narrow if the wide symbol is only the code.
 */
export function symbolStyle(locale: string, currency: string): "symbol" | "narrowSymbol" {
  if (!WIDE_SYMBOLS.has(new Intl.Locale(locale).language)) return "narrowSymbol";
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency }).formatToParts(1);
  const wide = parts.find(({ type }) => type === "currency")?.value;
  return wide === currency ? "narrowSymbol" : "symbol";
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

/** Returns whether the locale writes "5 €" instead of "€5". */
function endsWithCurrency(locale: string): boolean {
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
