import type { Language } from "../../server/contract/pos/setup.ts";
import type en from "./en.json";
import { type FamilyWords, familyWordsIn } from "./family-words.ts";

/** The words of the till in one language, without those of the back office. */
export type TillWords = typeof en & { readonly family: FamilyWords };

/** A file for each language: a page fetches the one it speaks, and the others when it has nothing to do. */
const FILES: Readonly<Record<Language, () => Promise<{ default: typeof en }>>> = {
  en: () => import("./en.json"),
  es: () => import("./es.json"),
  fr: () => import("./fr.json"),
  pt: () => import("./pt.json"),
  ar: () => import("./ar.json"),
};

const fetched = new Map<string, TillWords>();

/** Fetches the words of a language, once. @throws while the gateway is away */
export async function fetchWords(language: Language): Promise<TillWords> {
  const known = fetched.get(language);
  if (known) return known;
  const words = { ...(await FILES[language]()).default, family: familyWordsIn(language) };
  fetched.set(language, words);
  return words;
}

/** Those of a language that were fetched, else undefined. */
export function fetchedWords(language: string): TillWords | undefined {
  return fetched.get(language);
}
