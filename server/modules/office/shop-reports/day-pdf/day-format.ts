import { formatMoney, type MoneyStyle, shopLocale } from "../../../../contract/pos/money-text.ts";
import { directionOf, type Language } from "../../../../contract/pos/setup.ts";
import { trueMinus } from "../../../../contract/pos/true-minus.ts";
import type { Unit } from "../../../../lib/money.ts";
import { IsolatedText } from "../../../../lib/pdf/visual-text.ts";
import words from "./day-words.json" with { type: "json" };

export type DayWords = (typeof words)["en"];

const ISOLATES = /[\u2066-\u2069]/g;

/** Formats in the report's language and the shop's time zone, as the shop's screens do. */
export class DayFormat {
  readonly words: DayWords;
  readonly direction: "ltr" | "rtl";
  readonly #texts: IsolatedText;
  readonly #locale: string;
  readonly #currency: string;
  readonly #timeZone: string;
  readonly #canShow: (text: string) => boolean;

  constructor(
    language: Language,
    { currency, timeZone }: { currency: string; timeZone: string },
    canShow: (text: string) => boolean,
  ) {
    this.words = words[language];
    this.direction = directionOf(language);
    this.#texts = new IsolatedText(this.direction);
    this.#locale = shopLocale(language, currency);
    this.#currency = currency;
    this.#timeZone = timeZone;
    this.#canShow = canShow;
  }

  /** Fills in values, and isolates each value from the text direction around it. */
  fill(text: string, values: Readonly<Record<string, string>>): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => this.isolate(values[name] ?? ""));
  }

  named(name: string, value: string): string {
    return this.fill(this.words.document.named, { name, value });
  }

  isolate(text: string): string {
    return this.#texts.text(text);
  }

  /** Shows a foreign currency, and a currency whose symbol the fonts lack, by its code. */
  money(minor: number, { currency, currencyDivisor }: Unit): string {
    const write = (style: MoneyStyle) =>
      formatMoney(minor, currency, currencyDivisor, { locale: this.#locale, style });
    const text = write(currency === this.#currency ? "symbol" : "code");
    return this.#canShow(text.replaceAll(ISOLATES, "")) ? text : write("code");
  }

  number(value: number): string {
    return this.#isolateNumber(new Intl.NumberFormat(this.#locale).format(value));
  }

  percent(value: number, digits = 2): string {
    const style = { style: "percent", maximumFractionDigits: digits } as const;
    return this.#isolateNumber(new Intl.NumberFormat(this.#locale, style).format(value / 100));
  }

  day(date: string): string {
    return this.#formatDate(Date.parse(`${date}T00:00:00Z`), {
      dateStyle: "full",
      timeZone: "UTC",
    });
  }

  moment(at: string | number): string {
    return this.#formatDate(at, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: this.#timeZone,
    });
  }

  /** Omits the year, which the document states elsewhere. */
  dayTime(at: string | number): string {
    const style = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" } as const;
    return this.#formatDate(at, { ...style, timeZone: this.#timeZone });
  }

  #formatDate(at: string | number, style: Intl.DateTimeFormatOptions): string {
    return this.isolate(new Intl.DateTimeFormat(this.#locale, style).format(new Date(at)));
  }

  #isolateNumber(text: string): string {
    return this.#texts.number(trueMinus(text));
  }
}
