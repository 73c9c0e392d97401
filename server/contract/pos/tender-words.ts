import type { Language } from "./setup.ts";
import type { TenderKind } from "./tenders.ts";

/** Default names of tenders in files and lists, by the shop's language. */
const TENDER_WORDS: Readonly<Record<Language, Readonly<Record<TenderKind, string>>>> = {
  en: { CASH: "Cash", CARD: "Card", OTHER: "Other" },
  es: { CASH: "Efectivo", CARD: "Tarjeta", OTHER: "Otro" },
  fr: { CASH: "Espèces", CARD: "Carte", OTHER: "Autre" },
  pt: { CASH: "Dinheiro", CARD: "Cartão", OTHER: "Outro" },
  ar: { CASH: "نقدًا", CARD: "بطاقة", OTHER: "غير ذلك" },
};

/** Returns the name of a tender in a language. The shop's own name has precedence. */
export function tenderName(
  { kind, name }: { readonly kind: TenderKind; readonly name?: string | undefined },
  language: Language,
): string {
  return name ?? TENDER_WORDS[language][kind];
}
