import { createInstance } from "i18next";
import type { Language } from "../../../../server/contract/pos/setup.ts";
import { isolateVariables } from "../../../lib/direction.ts";
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
export type ReceiptWords = (word: ReceiptWord, values?: Record<string, string | number>) => string;

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
