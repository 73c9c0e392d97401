import type { Language } from "../../server/contract/pos/setup.ts";
import ar from "../locales/ar.json" with { type: "json" };
import en from "../locales/en.json" with { type: "json" };
import es from "../locales/es.json" with { type: "json" };
import fr from "../locales/fr.json" with { type: "json" };
import pt from "../locales/pt.json" with { type: "json" };
import type { Translate } from "./i18n.ts";

const KINDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: en.kind,
  es: es.kind,
  fr: fr.kind,
  pt: pt.kind,
  ar: ar.kind,
};

/**
 * What a brand sells, in the clerk's language: "Groceries", "Electricity". A kind that the till does
 * not know stands as the catalog says it.
 */
export function kindWords(kind: string, t: Translate): string {
  return kind === "" ? "" : t(`kind.${kind as keyof typeof en.kind}`, { defaultValue: kind });
}

/** The same in a language that is not the clerk's: that of a receipt. */
export function kindWordsIn(language: string, kind: string): string {
  return (KINDS as Readonly<Record<string, (typeof KINDS)["en"]>>)[language]?.[kind] ?? kind;
}
