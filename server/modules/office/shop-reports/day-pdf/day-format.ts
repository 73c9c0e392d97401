import { directionOf, type Language } from "../../../../contract/pos/setup.ts";
import { trueMinus } from "../../../../contract/pos/true-minus.ts";
import { majorText, type Unit } from "../../../../lib/money.ts";
import { IsolatedText } from "../../../../lib/pdf/visual-text.ts";
import words from "./day-words.json" with { type: "json" };

export type DayWords = (typeof words)["en"];

export class DayFormat {
  readonly words: DayWords;
  readonly direction: "ltr" | "rtl";
  readonly #texts: IsolatedText;
  readonly #language: Language;
  readonly #timeZone: string;
  readonly #canShow: (text: string) => boolean;
  readonly #money = new Map<string, Intl.NumberFormat>();

  constructor(language: Language, timeZone: string, canShow: (text: string) => boolean) {
    this.words = words[language];
    this.direction = directionOf(language);
    this.#texts = new IsolatedText(this.direction);
    this.#language = language;
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

  /** Never returns "-0". */
  money(minor: number, unit: Unit): string {
    const format = this.#formatOf(unit);
    const text = format.format(majorText(minor === 0 ? 0 : minor, unit.currencyDivisor) as never);
    return this.#isolateNumber(text);
  }

  number(value: number): string {
    return this.#isolateNumber(new Intl.NumberFormat(this.#language).format(value));
  }

  percent(value: number, digits = 2): string {
    const style = { style: "percent", maximumFractionDigits: digits } as const;
    return this.#isolateNumber(new Intl.NumberFormat(this.#language, style).format(value / 100));
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
    return this.isolate(new Intl.DateTimeFormat(this.#language, style).format(new Date(at)));
  }

  #isolateNumber(text: string): string {
    return this.#texts.number(trueMinus(text));
  }

  /** Uses the currency's symbol, or its code if the fonts lack the symbol. */
  #formatOf({ currency, currencyDivisor }: Unit): Intl.NumberFormat {
    const known = this.#money.get(currency);
    if (known) return known;
    const digits = Math.round(Math.log10(currencyDivisor));
    const make = (currencyDisplay: "narrowSymbol" | "code") =>
      new Intl.NumberFormat(this.#language, {
        style: "currency",
        currency,
        currencyDisplay,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    const short = make("narrowSymbol");
    const format = this.#canShow(short.format(0)) ? short : make("code");
    this.#money.set(currency, format);
    return format;
  }
}
