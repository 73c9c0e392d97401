import { fetchedWords, type TillWords } from "../locales/till-words.ts";
import type { Translate } from "./i18n.ts";

type Kind = keyof TillWords["kind"];

/**
 * Returns a brand's kind of products in the clerk's language: "Groceries", "Electricity". An
 * unknown kind stays as in the catalog.
 */
export function kindWords(kind: string, t: Translate): string {
  return kind === "" ? "" : t(`kind.${kind as Kind}`, { defaultValue: kind });
}

export function kindWordsIn(language: string, kind: string): string {
  return fetchedWords(language)?.kind[kind as Kind] ?? kind;
}
