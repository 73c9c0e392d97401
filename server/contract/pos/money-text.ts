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
  const key = `${locale} ${currency} ${style} ${digits}`;
  let write = writers.get(key);
  if (!write) {
    write = (directionOf(locale) === "rtl" ? currencyOnLeft : intlMoney)(
      { locale, style, currency },
      { minimumFractionDigits: digits, maximumFractionDigits: digits },
    );
    writers.set(key, write);
  }
  return write(toDecimal(minor, divisor));
}

type WriteMoney = (decimal: `${number}`) => string;
type Digits = Pick<Intl.NumberFormatOptions, "minimumFractionDigits" | "maximumFractionDigits">;

interface MoneyForm {
  readonly locale: string;
  readonly currency: string;
  readonly style: MoneyStyle;
}

const writers = new Map<string, WriteMoney>();

function intlMoney({ locale, currency, style }: MoneyForm, digits: Digits): WriteMoney {
  const currencyDisplay = style === "symbol" ? symbolStyle(locale, currency) : "code";
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay,
    ...digits,
  });
  return (decimal) => trueMinus(format.format(decimal));
}

/**
 * Writes the currency on the left of the number in a right-to-left locale, where readers expect it.
 * Intl writes it after the number, so inside the isolate it would be on the right. As in CLDR, a
 * no-break space separates them unless the symbol ends with a sign, such as "$".
 */
function currencyOnLeft({ locale, currency, style }: MoneyForm, digits: Digits): WriteMoney {
  const symbol = style === "symbol" ? currencySymbol(locale, currency) : currency;
  const name = /\p{S}$/u.test(symbol) ? symbol : `${symbol}\u00a0`;
  const format = new Intl.NumberFormat(locale, digits);
  return (decimal) => {
    const text = decimal.startsWith("-")
      ? `-${name}${format.format(decimal.slice(1) as `${number}`)}`
      : name + format.format(decimal);
    return isolateAmount(trueMinus(text), locale);
  };
}

/** Returns the narrow symbol, in Portuguese the wide one, unless that is only the code. */
function symbolStyle(locale: string, currency: string): "symbol" | "narrowSymbol" {
  const isWide = new Intl.Locale(locale).language === "pt";
  return isWide && intlSymbol(locale, currency, "symbol") !== currency ? "symbol" : "narrowSymbol";
}

const ARABIC_LETTER = /\p{Script=Arabic}/u;
/** Marks after Arabic letters keep the last point on their left, and a number on their right. */
const AFTER_ARABIC = "\u200f\u200e";

/**
 * Returns the symbol of a currency. In Arabic that is the Arabic symbol, such as "ج.م.", and without
 * one the same symbol as in English.
 */
export function currencySymbol(locale: string, currency: string): string {
  if (directionOf(locale) === "ltr") {
    return intlSymbol(locale, currency, symbolStyle(locale, currency));
  }
  const wide = intlSymbol(locale, currency, "symbol");
  const symbol = ARABIC_LETTER.test(wide) ? wide : intlSymbol("en", currency, "narrowSymbol");
  return ARABIC_LETTER.test(symbol) ? symbol + AFTER_ARABIC : symbol;
}

function intlSymbol(
  locale: string,
  currency: string,
  currencyDisplay: "symbol" | "narrowSymbol",
): string {
  const style = { style: "currency", currency, currencyDisplay } as const;
  const parts = new Intl.NumberFormat(locale, style).formatToParts(1);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}
