import { fetchedWords, type TillWords } from "../locales/till-words.ts";
import type { Translate } from "./i18n.ts";

type RegionKey = keyof TillWords["counter"]["esim"]["region"];

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

export function regionWords(region: string, t: Translate): string {
  const key = KEYS[region];
  return key === undefined ? region : t(`counter.esim.region.${key}`);
}

export function regionWordsIn(language: string, region: string): string {
  const key = KEYS[region];
  return (key && fetchedWords(language)?.counter.esim.region[key]) ?? region;
}
