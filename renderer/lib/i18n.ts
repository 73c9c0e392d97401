import i18next, { type i18n, type TFunction } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "../../server/contract/pos/setup.ts";
import type { OfficeWords } from "../locales/office-words.ts";
import { fetchedWords, fetchWords, type TillWords } from "../locales/till-words.ts";
import { directionOf, isolateVariables } from "./direction.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: TillWords & { office: OfficeWords } };
  }
}

export type Translate = TFunction;

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

export function findChosenLanguage(): Language | undefined {
  const stored = localStorage.getItem(STORAGE_KEY);
  return isLanguage(stored) ? stored : undefined;
}

/** Stores a language for this till. The shop's language is unchanged. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language);
  void speak(language);
}

/** The language requested last. Texts of an earlier request are ignored if they arrive later. */
let wanted: string | undefined;

/**
 * Changes the page's language after its texts are loaded. Without these texts, the language stays.
 */
export async function speak(language: string): Promise<void> {
  wanted = language;
  if ((await addLanguage(language)) && wanted === language) {
    await i18next.changeLanguage(language);
  }
}

/** Loads the texts of a language; never rejects, and returns false if they cannot be fetched. */
export async function addLanguage(language: string): Promise<boolean> {
  if (!isLanguage(language)) return false;
  try {
    const words = await fetchWords(language);
    if (i18next.isInitialized && !spoken.has(language)) {
      spoken.add(language);
      i18next.addResourceBundle(
        language,
        "translation",
        isolateVariables(words, language),
        true,
        true,
      );
    }
    return true;
  } catch {
    return false;
  }
}

export function browserLanguage(): Language {
  const found = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
  return found ?? "en";
}

function setDocumentLanguage(language: string): void {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

export function addOfficeWords(wordsIn: (language: Language) => OfficeWords): void {
  for (const language of Object.keys(LANGUAGE_NAMES).filter(isLanguage)) {
    const office = isolateVariables({ ...wordsIn(language) }, language);
    i18next.addResourceBundle(language, "translation", { office }, true, true);
  }
}

const spoken = new Set<Language>();

/** Removes the second full stop after a value such as "5:05 p. m.". */
const FULL_STOPS = {
  type: "postProcessor",
  name: "fullStops",
  process: (text: string) => text.replaceAll(/\.\.(?=\s|$)/g, "."),
} as const;

/** Starts i18next with the loaded texts, which must include those of `language`. */
export function startI18n(language: Language): i18n {
  const there = Object.keys(LANGUAGE_NAMES)
    .filter(isLanguage)
    .flatMap((one) => {
      const words = fetchedWords(one);
      return words ? [[one, { translation: isolateVariables(words, one) }] as const] : [];
    });
  for (const [one] of there) spoken.add(one);
  const instance = i18next.use(initReactI18next).use(FULL_STOPS);
  void instance.init({
    lng: language,
    fallbackLng: "en",
    resources: Object.fromEntries(there),
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
    postProcess: FULL_STOPS.name,
    returnNull: false,
    initAsync: false,
  });
  i18next.off("languageChanged", setDocumentLanguage);
  i18next.on("languageChanged", setDocumentLanguage);
  setDocumentLanguage(language);
  return i18next;
}
