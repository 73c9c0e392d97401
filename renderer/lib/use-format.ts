import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shopLocale, withTillDigits } from "../../server/contract/pos/money-text.ts";
import { calendarOf, machineTimeZone, startOfDay } from "../../server/contract/pos/shop-day.ts";
import { contentsWords } from "./contents-words.ts";
import { gatewayNow } from "./gateway-clock.ts";
import {
  currencySymbol,
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

/** The shop's currency, which also determines the region of number formats. */
export const ShopCurrencyContext = createContext("");

/** The shop's time zone, even if the screen is in a different zone. */
export const ShopTimeZoneContext = createContext(machineTimeZone());
/** Start of the shop's day: minutes after midnight. */
export const ShopDayStartContext = createContext(0);

/**
 * Returns whether a tag is valid: a browser may report an invalid language such as "en-US@posix".
 */
function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * Returns the locale of a language in a shop: "es" in a shop with GTQ is "es-GT", unless the system
 * names a region.
 */
export function pickLocale(
  language: string,
  currency: string,
  systemLocales: readonly string[],
): string {
  const ofSystem = systemLocales.find(
    (tag) => tag.startsWith(`${language}-`) && isLanguageTag(tag),
  );
  return ofSystem === undefined ? shopLocale(language, currency) : withTillDigits(ofSystem);
}

export interface Format {
  readonly locale: string;
  money(minor: number, currency: string, divisor: number, style?: MoneyStyle): string;
  moneyShort(minor: number, currency: string, divisor: number, style?: MoneyStyle): string;
  number(value: number | `${number}`): string;
  moneyRange(limits: readonly [number, number], currency: string, divisor: number): string;
  /** A typed amount with the locale's decimal sign. The field's value keeps a point. */
  typedAmount(text: string): string;
  time(timestamp: string | number): string;
  /** "15%", in the locale's format. */
  percent(value: number): string;
  /** "8.875%", with all decimals of the tax. */
  taxRate(rate: string): string;
  /** The time for today, else day and time. */
  moment(timestamp: string): string;
  /** A moment inside a sentence. The sentence may have another form if the moment is not today. */
  when(timestamp: string): { readonly time: string; readonly context?: "day" };
  timeExact(timestamp: string | number): string;
  day(timestamp: string | number): string;
  dayLong(timestamp: string | number): string;
  date(timestamp: string | number): string;
  /** A business day, such as 2026-01-31, with its year. */
  shopDate(day: string): string;
  shopDay(day: string): string;
  /** "3 days ago". */
  age(timestamp: string | number): string;
  startOfDay(at: number): number;
  isMidnight(at: number): boolean;
  /** "14:05 tomorrow", in the clerk's language. */
  until(timestamp: string, now: number): string;
  /** Contents of a title, such as "12 GB, 30 days", in the clerk's language. */
  contents(title: string): string;
  country(code: string): string;
  currencyName(code: string): string;
}

export function useFormat(): Format {
  const { t, i18n } = useTranslation();
  const currency = useContext(ShopCurrencyContext);
  const timeZone = useContext(ShopTimeZoneContext);
  const dayStartsAt = useContext(ShopDayStartContext);
  return useMemo(() => {
    const locale = pickLocale(i18n.language, currency, navigator.languages);
    const style = { locale, timeZone };
    const { decimalSign, countries, currencies } = wordsOfLocale(locale);
    // The shop's currency is shown by its symbol. A different currency with the same symbol, such
    // as US dollars in Mexico, is shown by its code.
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

function symbolOf(code: string, locale: string): string {
  const key = `${locale} ${code}`;
  const known = symbols.get(key);
  if (known !== undefined) return known;
  const symbol = /^[A-Z]{3}$/.test(code) ? currencySymbol(locale, code) : "";
  symbols.set(key, symbol);
  return symbol;
}

/** A business day has no time zone: noon avoids a shift of the day. */
function noonOf(day: string): string {
  return `${day}T12:00:00.000Z`;
}

interface LocaleWords {
  readonly decimalSign: string;
  readonly countries: Intl.DisplayNames;
  readonly currencies: Intl.DisplayNames;
}

const localeWords = new Map<string, LocaleWords>();

/** Returns cached words, because each row requests them. */
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
