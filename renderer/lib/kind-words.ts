import { fetchedWords, type TillWords } from "../locales/till-words.ts";
import type { Translate } from "./i18n.ts";

type Kind = keyof TillWords["kind"];

/**
 * What a brand sells, in the clerk's language: "Groceries", "Electricity". A kind that the till does
 * not know stands as the catalog says it.
 */
export function kindWords(kind: string, t: Translate): string {
  return kind === "" ? "" : t(`kind.${kind as Kind}`, { defaultValue: kind });
}

/** The same in a language that is not the clerk's, that of a receipt, whose words were fetched. */
export function kindWordsIn(language: string, kind: string): string {
  return fetchedWords(language)?.kind[kind as Kind] ?? kind;
}
