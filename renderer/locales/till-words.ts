import type { Family } from "../../server/contract/pos/families.ts";
import type { Language } from "../../server/contract/pos/setup.ts";
import type en from "./en.json";
import bill from "./families/bill.json" with { type: "json" };
import esim from "./families/esim.json" with { type: "json" };
import topup from "./families/topup.json" with { type: "json" };
import voucher from "./families/voucher.json" with { type: "json" };

/** Texts of the families: a file per family, with every language. */
const FAMILY_WORDS = {
  TOPUP: topup,
  VOUCHER: voucher,
  ESIM: esim,
  BILL_PAY: bill,
} satisfies Record<Family, Record<Language, object>>;

/** The texts of the till in one language, without those of the back office. */
export type TillWords = typeof en & { readonly family: FamilyWords };

/** Texts by language: a page loads its own language first, and the others when it is idle. */
const FILES: Readonly<Record<Language, () => Promise<{ default: typeof en }>>> = {
  en: () => import("./en.json"),
  es: () => import("./es.json"),
  fr: () => import("./fr.json"),
  pt: () => import("./pt.json"),
  ar: () => import("./ar.json"),
};

const fetched = new Map<string, TillWords>();

/**
 * Loads the texts of a language, only once.
 * @throws Error if the gateway is unreachable
 */
export async function fetchWords(language: Language): Promise<TillWords> {
  const known = fetched.get(language);
  if (known) return known;
  const words = { ...(await FILES[language]()).default, family: familyWordsIn(language) };
  fetched.set(language, words);
  return words;
}

export function fetchedWords(language: string): TillWords | undefined {
  return fetched.get(language);
}

type FamilyWords = {
  readonly [Name in Family]: (typeof FAMILY_WORDS)[Name][Language];
};

export function familyWordsIn(language: Language): FamilyWords {
  const { TOPUP, VOUCHER, ESIM, BILL_PAY } = FAMILY_WORDS;
  return {
    TOPUP: TOPUP[language],
    VOUCHER: VOUCHER[language],
    ESIM: ESIM[language],
    BILL_PAY: BILL_PAY[language],
  };
}
