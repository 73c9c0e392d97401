import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";

/**
 * Score of an exact amount ("50", not "150"). It outweighs the shop's own country and usual sales
 * together.
 */
const EXACT_AMOUNT = 3;
interface Ranked {
  readonly brand: string;
  /** ISO 3166-1 alpha-2; empty if the brand has no single country. */
  readonly country: string;
  readonly title?: string;
}

/**
 * Returns a function that scores results. A whole name scores more than the start of a word, which
 * scores more than the country. A single letter finds thousands of offers, so each brand and
 * country is scored only once.
 * @param nameOf returns the words of a brand's name
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

/** Returns 4 if all words of the name are typed, 2 if a typed word is the start of one of them. */
function howNamed(name: readonly string[], words: readonly string[]): number {
  if (name.length > 0 && name.every((part) => words.includes(part))) {
    return 4;
  }
  return 2 * Number(words.some((word) => name.some((part) => part.startsWith(word))));
}

function remembered(work: (of: string) => number): (of: string) => number {
  const known = new Map<string, number>();
  return (of) => {
    const answer = known.get(of) ?? work(of);
    known.set(of, answer);
    return answer;
  };
}

/**
 * Returns the results with the highest scores, best first. Results with equal scores keep their
 * order.
 */
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

/**
 * Returns whether a title contains a typed amount as a whole word: 50 is in "50 USD", not in "150
 * BRL".
 */
export function hasAmount(title: string, typed: readonly string[]): boolean {
  const amounts = title.split(/\s+/);
  return typed.some((word) => /^\d/.test(word) && amounts.includes(word));
}

/**
 * 1 for the shop's own country, 0.5 for its calling zone, 0.25 for its language, 0 for all others.
 */
function nearness(country: string, home: string): number {
  if (country === "" || home === "" || country === home) {
    return Number(country !== "" && country === home);
  }
  const isNear = worldZone(country) !== "" && worldZone(country) === worldZone(home);
  return 0.5 * Number(isNear) + 0.25 * Number(languageOf(country) === languageOf(home));
}

/** Joins calling zones: 1 with 5 (the Americas), and 4 with 3 (Europe). */
const ZONES: Readonly<Record<string, string>> = { "1": "5", "4": "3" };

function worldZone(country: string): string {
  const zone = isSupportedCountry(country) ? getCountryCallingCode(country).slice(0, 1) : "";
  return ZONES[zone] ?? zone;
}

const languages = new Map<string, string>();

function languageOf(country: string): string {
  const known = languages.get(country) ?? new Intl.Locale(`und-${country}`).maximize().language;
  languages.set(country, known);
  return known;
}
