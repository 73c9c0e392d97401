import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { calendarOf, machineTimeZone, startOfDay } from "../../server/contract/pos/shop-day.ts";
import { contentsWords } from "./contents-words.ts";
import { directionOf } from "./direction.ts";
import { gatewayNow } from "./gateway-clock.ts";
import {
  formatMoney,
  formatNumber,
  formatPercent,
  formatRange,
  formatTaxRate,
  type MoneyStyle,
} from "./money.ts";
import {
  dayRelation,
  formatAge,
  formatDate,
  formatDay,
  formatDayLong,
  formatDayTime,
  formatTime,
  formatTimeExact,
} from "./time-format.ts";

/** The shop's currency, which also tells the region whose way of writing numbers is used. */
export const ShopCurrencyContext = createContext("");

/** By whose clock moments are written: the shop's, wherever the screen is. */
export const ShopTimeZoneContext = createContext(machineTimeZone());
/** When the shop's day begins: minutes after midnight. */
export const ShopDayStartContext = createContext(0);

/** A browser may call its language what no standard knows: "en-US@posix" where the system has none. */
function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * The locale of a language in a shop: "es" in a shop that takes GTQ is "es-GT", unless the
 * system says which Spanish it is.
 */
export function pickLocale(
  language: string,
  currency: string,
  systemLocales: readonly string[],
): string {
  const ofSystem = systemLocales.find(
    (tag) => tag.startsWith(`${language}-`) && isLanguageTag(tag),
  );
  const ofShop = /^[A-Z]{3}$/.test(currency) ? `${language}-${currency.slice(0, 2)}` : language;
  return withTillDigits(ofSystem ?? ofShop);
}

/**
 * Numbers at a till are written with Latin digits, and days counted by the Gregorian calendar, in
 * Arabic too: keypads, phones, bank notes and receipts all have them, and an amount that is read twice
 * must look the same twice (rules#receipt-numbers-left-to-right).
 */
function withTillDigits(locale: string): string {
  return directionOf(locale) === "rtl"
    ? new Intl.Locale(locale, { numberingSystem: "latn", calendar: "gregory" }).toString()
    : locale;
}

export interface Format {
  readonly locale: string;
  money(minor: number, currency: string, divisor: number, style?: MoneyStyle): string;
  moneyShort(minor: number, currency: string, divisor: number, style?: MoneyStyle): string;
  number(value: number | `${number}`): string;
  /** The least and the most of an amount: "GTQ 5 – 500". */
  moneyRange(limits: readonly [number, number], currency: string, divisor: number): string;
  /** A typed amount with the locale's decimal sign; what is typed keeps a point inside. */
  typedAmount(text: string): string;
  time(timestamp: string | number): string;
  /** "15%", spaced and signed as the locale does it. */
  percent(value: number): string;
  /** "8.875%", as fine as the tax is. */
  taxRate(rate: string): string;
  /** The time of today, else the day and the time. */
  moment(timestamp: string): string;
  /** A moment inside a sentence, whose words may be others for a day than for a time of today. */
  when(timestamp: string): { readonly time: string; readonly context?: "day" };
  timeExact(timestamp: string | number): string;
  day(timestamp: string | number): string;
  dayLong(timestamp: string | number): string;
  /** With its year. */
  date(timestamp: string | number): string;
  /** A day of the shop, such as 2026-01-31, with its year. */
  shopDate(day: string): string;
  /** The same without its year. */
  shopDay(day: string): string;
  /** "3 days ago". */
  age(timestamp: string | number): string;
  /** When the shop's day of a moment began. */
  startOfDay(at: number): number;
  /** Whether the shop's clocks show midnight. */
  isMidnight(at: number): boolean;
  /** "14:05 tomorrow", in the clerk's words. */
  until(timestamp: string, now: number): string;
  /** "12 GB, 30 days" of a title in the clerk's words. */
  contents(title: string): string;
  country(code: string): string;
  currencyName(code: string): string;
}

/** Amounts, times and names as the clerk's language and the shop's region write them. */
export function useFormat(): Format {
  const { t, i18n } = useTranslation();
  const currency = useContext(ShopCurrencyContext);
  const timeZone = useContext(ShopTimeZoneContext);
  const dayStartsAt = useContext(ShopDayStartContext);
  return useMemo(() => {
    const locale = pickLocale(i18n.language, currency, navigator.languages);
    const style = { locale, timeZone };
    const { decimalSign, countries, currencies } = wordsOfLocale(locale);
    // The shop's own currency is written one way wherever it stands. Another one whose symbol is
    // the same, such as US dollars in Mexico, has its code.
    const styleOf = (code: string, style: MoneyStyle = "symbol") => {
      if (code === currency) return "symbol";
      return symbolOf(code, locale) === symbolOf(currency, locale) ? "code" : style;
    };
    const isToday = (timestamp: string) =>
      dayRelation(timestamp, gatewayNow(), timeZone) === "today";
    const moment = (timestamp: string) =>
      isToday(timestamp)
        ? formatTime(timestamp, style)
        : formatDayTime(timestamp, style, gatewayNow());
    return {
      locale,
      money: (minor, code, divisor, style) =>
        formatMoney(minor, code, divisor, { locale, style: styleOf(code, style) }),
      moneyShort: (minor, code, divisor, style) =>
        formatMoney(minor, code, divisor, { locale, style: styleOf(code, style), short: true }),
      number: (value) => formatNumber(value, locale),
      moneyRange: (limits, code, divisor) =>
        formatRange(limits, code, divisor, { locale, style: styleOf(code, "code") }),
      typedAmount: (text) => text.replace(".", decimalSign),
      percent: (value) => formatPercent(value, locale),
      taxRate: (rate) => formatTaxRate(rate, locale),
      moment,
      when: (timestamp) => ({
        time: moment(timestamp),
        ...(!isToday(timestamp) && { context: "day" as const }),
      }),
      time: (timestamp) => formatTime(timestamp, style),
      timeExact: (timestamp) => formatTimeExact(timestamp, style),
      day: (timestamp) => formatDay(timestamp, style),
      dayLong: (timestamp) => formatDayLong(timestamp, style),
      date: (timestamp) => formatDate(timestamp, style),
      shopDate: (day) => formatDate(noonOf(day), { locale, timeZone: "UTC" }),
      shopDay: (day) => formatDay(noonOf(day), { locale, timeZone: "UTC" }),
      age: (timestamp) => formatAge(timestamp, gatewayNow(), style),
      startOfDay: (at) => startOfDay(at, { timeZone, dayStartsAt }),
      isMidnight: (at) => startOfDay(at, calendarOf(timeZone)) === at,
      until: (timestamp, now) =>
        t(`sale.until.${dayRelation(timestamp, now, timeZone)}`, {
          time: formatTime(timestamp, style),
          day: formatDay(timestamp, style),
        }),
      contents: (title) =>
        contentsWords(title, locale, (key, values) => t(`counter.${key}`, values)),
      country: (code) => nameOf(countries, code),
      currencyName: (code) => nameOf(currencies, code),
    };
  }, [t, i18n.language, currency, timeZone, dayStartsAt]);
}

const symbols = new Map<string, string>();

/** The short symbol of a currency; empty where the code is none. */
function symbolOf(code: string, locale: string): string {
  const key = `${locale} ${code}`;
  const known = symbols.get(key);
  if (known !== undefined) return known;
  const style = { style: "currency", currency: code, currencyDisplay: "narrowSymbol" } as const;
  const parts = /^[A-Z]{3}$/.test(code)
    ? new Intl.NumberFormat(locale, style).formatToParts(1)
    : [];
  const symbol = parts.find(({ type }) => type === "currency")?.value ?? "";
  symbols.set(key, symbol);
  return symbol;
}

/** A day of the shop has no zone: it is written as it stands there. */
function noonOf(day: string): string {
  return `${day}T12:00:00.000Z`;
}

interface LocaleWords {
  readonly decimalSign: string;
  readonly countries: Intl.DisplayNames;
  readonly currencies: Intl.DisplayNames;
}

const localeWords = new Map<string, LocaleWords>();

/** Asked for by each row that is drawn, and made once. */
function wordsOfLocale(locale: string): LocaleWords {
  const known = localeWords.get(locale);
  if (known) {
    return known;
  }
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const words = {
    decimalSign: parts.find(({ type }) => type === "decimal")?.value ?? ".",
    countries: new Intl.DisplayNames(locale, { type: "region" }),
    currencies: new Intl.DisplayNames(locale, { type: "currency" }),
  };
  localeWords.set(locale, words);
  return words;
}

function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
