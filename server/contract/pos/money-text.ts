import { directionOf } from "./setup.ts";

/**
 * Replaces the hyphen of a formatted number by a minus sign, which is as wide as a plus: a hyphen
 * before an amount is easily overlooked.
 */
export function trueMinus(text: string): string {
  return text.replace("-", "\u2212");
}

const LEFT_TO_RIGHT_ISOLATE = "\u2066";
const POP_ISOLATE = "\u2069";
/** Direction marks, which CLDR adds to Arabic amounts. */
const LEADING_MARKS = /^[\u061c\u200e\u200f]+/;

/** Isolates an amount in a right-to-left locale, so that it reads from left to right. */
export function isolateAmount(text: string, locale: string): string {
  return directionOf(locale) === "rtl"
    ? LEFT_TO_RIGHT_ISOLATE + text.replace(LEADING_MARKS, "") + POP_ISOLATE
    : text;
}

/** Returns the locale of a language in a shop: "es" in a shop with GTQ is "es-GT". */
export function shopLocale(language: string, currency: string): string {
  return withTillDigits(
    /^[A-Z]{3}$/.test(currency) ? `${language}-${currency.slice(0, 2)}` : language,
  );
}

/**
 * Sets Latin digits and the Gregorian calendar, even in Arabic
 * (rules#receipt-numbers-left-to-right).
 */
export function withTillDigits(locale: string): string {
  return directionOf(locale) === "rtl"
    ? new Intl.Locale(locale, { numberingSystem: "latn", calendar: "gregory" }).toString()
    : locale;
}

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

export interface MoneyOptions {
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
