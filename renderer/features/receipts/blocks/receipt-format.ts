import { createInstance } from "i18next";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import type { Language } from "../../../../server/contract/pos/setup.ts";
import { contentsWords } from "../../../lib/contents-words.ts";
import type { PlaceWords } from "../../../lib/destination.ts";
import { isolateVariables } from "../../../lib/direction.ts";
import { kindWordsIn } from "../../../lib/kind-words.ts";
import { formatMoney, formatTaxRate } from "../../../lib/money.ts";
import { regionWordsIn } from "../../../lib/region-words.ts";
import { type Sold, type SoldWords, soldTitle } from "../../../lib/sold-title.ts";
import { pickLocale } from "../../../lib/use-format.ts";
import ar from "../locales/ar.json" with { type: "json" };
import en from "../locales/en.json" with { type: "json" };
import es from "../locales/es.json" with { type: "json" };
import fr from "../locales/fr.json" with { type: "json" };
import pt from "../locales/pt.json" with { type: "json" };

/** Key of a text, without its plural suffix. */
type ReceiptWord = keyof typeof en extends infer Key
  ? Key extends `${infer Counted}_${"one" | "other"}`
    ? Counted
    : Key
  : never;
type ReceiptWords = (word: ReceiptWord, values?: Record<string, string | number>) => string;

const languages = { en, es, fr, pt, ar } satisfies Record<Language, typeof en>;

/** Separate from the till's instance, because a receipt's language must not follow the till's. */
const words = createInstance();
void words.init({
  resources: Object.fromEntries(
    Object.entries(languages).map(([language, receipts]) => [
      language,
      { receipts: isolateVariables(receipts, language) },
    ]),
  ),
  lng: "en",
  fallbackLng: "en",
  ns: "receipts",
  defaultNS: "receipts",
  interpolation: { escapeValue: false },
  initAsync: false,
});

export function receiptWords(language: string): ReceiptWords {
  // i18next is typed with the till's keys, not with the receipt's keys.
  return words.getFixedT(language) as unknown as ReceiptWords;
}

export interface ReceiptFormat {
  readonly t: ReceiptWords;
  readonly money: (minor: number) => string;
  /** Returns "19%" or "2.5%". */
  readonly taxRate: (rate: string) => string;
  /** A foreign currency is shown by its code. */
  readonly delivered: (minor: number, currency: string, divisor: number) => string;
  /** Returns a name such as "Tigo 12 GB, 30 days". */
  readonly sold: (line: Sold) => string;
  readonly moment: (timestamp: string) => string;
  readonly time: (timestamp: string) => string;
  /** Formats a date or time with its zone. Other texts are unchanged. */
  readonly date: (text: string) => string;
  readonly locale: string;
  /** The shop's currency. */
  readonly currency: string;
  readonly places: PlaceWords;
}

/** Uses the receipt's language and the shop's time zone, regardless of the till's. */
export function receiptFormat({ language, timeZone, sale }: Receipt): ReceiptFormat {
  const locale = pickLocale(language, sale.currency, navigator.languages);
  const t = receiptWords(language);
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  // Includes the time zone, because the customer may live in another zone.
  const momentWithZone = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "shortOffset",
    timeZone,
  });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone });
  const countries = new Intl.DisplayNames(locale, { type: "region" });
  const delivered = (minor: number, currency: string, divisor: number) =>
    formatMoney(minor, currency, divisor, {
      locale,
      style: currency === sale.currency ? "symbol" : "code",
    });
  const soldWords: SoldWords = {
    locale,
    contents: (title) => contentsWords(title, locale, t),
    kind: (kind) => kindWordsIn(language, kind),
    delivered,
    // Never used, because a sold product has an amount.
    anyAmount: "",
  };
  return {
    t,
    money: (minor) => formatMoney(minor, sale.currency, sale.currencyDivisor, { locale }),
    taxRate: (rate) => formatTaxRate(rate, locale),
    delivered,
    currency: sale.currency,
    sold: (line) => soldTitle(line, soldWords),
    moment: (timestamp) => keepTogether(moment.format(new Date(timestamp))),
    time: (timestamp) => time.format(new Date(timestamp)),
    date: (text) =>
      /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))
        ? keepTogether((text.length > 10 ? momentWithZone : day).format(new Date(text)))
        : text,
    locale,
    places: {
      locale,
      country: (code) => countries.of(code) ?? code,
      region: (region) => regionWordsIn(language, region),
    },
  };
}

/** A date on two lines of narrow paper is easily misread. */
function keepTogether(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}
