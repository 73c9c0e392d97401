import type { Language } from "../../server/contract/pos/setup.ts";
import ar from "../locales/ar.json" with { type: "json" };
import en from "../locales/en.json" with { type: "json" };
import es from "../locales/es.json" with { type: "json" };
import fr from "../locales/fr.json" with { type: "json" };
import pt from "../locales/pt.json" with { type: "json" };
import type { Translate } from "./i18n.ts";

type RegionKey = keyof typeof en.counter.esim.region;

const WORDS: Readonly<Record<Language, Readonly<Record<RegionKey, string>>>> = {
  en: en.counter.esim.region,
  es: es.counter.esim.region,
  fr: fr.counter.esim.region,
  pt: pt.counter.esim.region,
  ar: ar.counter.esim.region,
};

const KEYS: Readonly<Record<string, RegionKey>> = {
  Global: "global",
  Africa: "africa",
  Asia: "asia",
  Caribbean: "caribbean",
  "Central America": "centralAmerica",
  "Eastern Europe": "easternEurope",
  "Western Europe": "westernEurope",
  "North America": "northAmerica",
  Oceania: "oceania",
  "South America": "southAmerica",
  "South Asia": "southAsia",
  "Southeast Asia": "southeastAsia",
  "Middle East and North Africa": "middleEast",
};

/** A region of the catalog in the clerk's language; one that this list has not as the catalog says it. */
export function regionWords(region: string, t: Translate): string {
  const key = KEYS[region];
  return key === undefined ? region : t(`counter.esim.region.${key}`);
}

/** The same in a language that is not the clerk's: that of a receipt. */
export function regionWordsIn(language: string, region: string): string {
  const key = KEYS[region];
  const words = (WORDS as Readonly<Record<string, (typeof WORDS)["en"]>>)[language];
  return (key && words?.[key]) ?? region;
}
