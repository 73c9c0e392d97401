import i18next, { type i18n, type TFunction } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "../../server/contract/pos/setup.ts";
import ar from "../locales/ar.json" with { type: "json" };
import en from "../locales/en.json" with { type: "json" };
import es from "../locales/es.json" with { type: "json" };
import { type FamilyWords, familyWordsIn } from "../locales/family-words.ts";
import fr from "../locales/fr.json" with { type: "json" };
import type { OfficeWords } from "../locales/office-words.ts";
import pt from "../locales/pt.json" with { type: "json" };
import { directionOf, isolateVariables } from "./direction.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en & { family: FamilyWords; office: OfficeWords } };
  }
}

export type Translate = TFunction;

/** The languages of the till, each under its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Español",
  fr: "Français",
  pt: "Português (Brasil)",
  ar: "العربية",
};

const STORAGE_KEY = "tillgate.language";

export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && value in LANGUAGE_NAMES;
}

/** The language chosen on this till, or undefined while it follows the shop. */
export function findChosenLanguage(): Language | undefined {
  const stored = localStorage.getItem(STORAGE_KEY);
  return isLanguage(stored) ? stored : undefined;
}

/** Keeps a language for this till only; the shop's stays what it is. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language);
  void i18next.changeLanguage(language);
}

/** The first language of the browser that the till speaks. */
export function browserLanguage(): Language {
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
  return found ?? "en";
}

/** The page says which language it speaks and which way it runs; Mantine reads it from there. */
function setDocumentLanguage(language: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/** Adds the words of the back office, which are loaded with it, in every language. */
export function addOfficeWords(wordsIn: (language: Language) => OfficeWords): void {
  for (const language of Object.keys(LANGUAGE_NAMES).filter(isLanguage)) {
    const office = isolateVariables({ ...wordsIn(language) }, language);
    i18next.addResourceBundle(language, "translation", { office }, true, true);
  }
}

export function startI18n(language: Language): i18n {
  const instance = i18next.use(initReactI18next);
  void instance.init({
    lng: language,
    fallbackLng: "en",
    resources: {
      en: { translation: { ...en, family: familyWordsIn("en") } },
      es: { translation: { ...es, family: familyWordsIn("es") } },
      fr: { translation: { ...fr, family: familyWordsIn("fr") } },
      pt: { translation: { ...pt, family: familyWordsIn("pt") } },
      ar: { translation: isolateVariables({ ...ar, family: familyWordsIn("ar") }, "ar") },
    },
    interpolation: { escapeValue: false },
    returnNull: false,
    initAsync: false,
  });
  i18next.off("languageChanged", setDocumentLanguage);
  i18next.on("languageChanged", setDocumentLanguage);
  setDocumentLanguage(language);
  return i18next;
}
