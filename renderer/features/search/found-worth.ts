import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";

/** The amount as it was typed, not one that only has its digits: more than the nearest country and own sales. */
const EXACT_AMOUNT = 3;
/** What is looked at of a brand in a country, or of one offer. */
interface Ranked {
  readonly brand: string;
  /** ISO 3166-1 alpha-2; empty where there is none. */
  readonly country: string;
  readonly title?: string;
}

/**
 * What each thing found is worth: its name as a whole counts more than the beginning of a word of it,
 * that more than its country. A letter finds thousands of offers, so what they share is worked out once
 * for each brand and each country.
 * @param nameOf the words of a brand's name
 * @param home the shop's country
 */
export function worthBy(
  words: readonly string[],
  home: string,
  nameOf: (brand: string) => readonly string[],
): (found: Ranked) => number {
  const amounts = words.filter((word) => /^\d/.test(word));
  const named = remembered((brand) => howNamed(nameOf(brand), words));
  const near = remembered((country) => nearness(country, home));
  return ({ brand, country, title }) => {
    const isExact = amounts.length > 0 && title !== undefined && hasAmount(title, amounts);
    return named(brand) + EXACT_AMOUNT * Number(isExact) + near(country);
  };
}

/** How much of a name was typed: 4 for all of its words, 2 for the beginning of one. */
function howNamed(name: readonly string[], words: readonly string[]): number {
  if (name.length > 0 && name.every((part) => words.includes(part))) {
    return 4;
  }
  return 2 * Number(words.some((word) => name.some((part) => part.startsWith(word))));
}

/** The same function, which works out each answer once. */
function remembered(work: (of: string) => number): (of: string) => number {
  const known = new Map<string, number>();
  return (of) => {
    const answer = known.get(of) ?? work(of);
    known.set(of, answer);
    return answer;
  };
}

/** The first so many by their worth; those worth the same stay in their order. */
export function mostWorth<One>(
  all: readonly One[],
  worthOf: (one: One) => number,
  most: number,
): One[] {
  const worth = all.map(worthOf);
  return worth
    .map((_, at) => at)
    .sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
    .slice(0, most)
    .flatMap((at) => all[at] ?? []);
}

/** Whether a number that was typed stands in the title as a whole: 50 does in "50 USD", not in "150 BRL". */
export function hasAmount(title: string, typed: readonly string[]): boolean {
  const amounts = title.split(/\s+/);
  return typed.some((word) => /^\d/.test(word) && amounts.includes(word));
}

/** From 0, far away, to 1, the shop's own country: neighbours by calling code and by language between. */
function nearness(country: string, home: string): number {
  if (country === "" || home === "" || country === home) {
    return Number(country !== "" && country === home);
  }
  const isNear = worldZone(country) !== "" && worldZone(country) === worldZone(home);
  return 0.5 * Number(isNear) + 0.25 * Number(languageOf(country) === languageOf(home));
}

/** Of calling codes, by their first digit: both Americas are one part of the world, and both of Europe's. */
const ZONES: Readonly<Record<string, string>> = { "1": "5", "4": "3" };

/** The part of the world. */
function worldZone(country: string): string {
  const zone = isSupportedCountry(country) ? getCountryCallingCode(country).slice(0, 1) : "";
  return ZONES[zone] ?? zone;
}

const languages = new Map<string, string>();

/** The language most people of a country write. */
function languageOf(country: string): string {
  const known = languages.get(country) ?? new Intl.Locale(`und-${country}`).maximize().language;
  languages.set(country, known);
  return known;
}
