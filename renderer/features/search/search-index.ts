import uFuzzy from "@leeoniya/ufuzzy";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";
import type { EsimArea } from "../../../server/contract/pos/esims.ts";
import { FAMILIES, type Family } from "../../../server/contract/pos/families.ts";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";

/** A brand in a country, as something to open. */
export interface FoundBrand {
  readonly productType: Family;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** ISO 3166-1 alpha-2, empty for an eSIM of a region. */
  readonly country: string;
  readonly area?: EsimArea;
}

/** One thing that can be sold; `price` in minor units of the shop's currency, fee included. */
export interface FoundOffer extends FoundBrand {
  readonly offerId: string;
  readonly title: string;
  readonly price: number;
}

export interface Found {
  readonly brands: readonly FoundBrand[];
  readonly offers: readonly FoundOffer[];
}

/** How usual it is at this till, from 0 to 1: of a brand in a country, or of one offer. */
export type Usualness = (found: FoundBrand & { readonly offerId?: string }) => number;

/** Words that belong to a country and a family in the languages the clerk may type. */
export interface SearchWords {
  country(code: string): string;
  region(region: string): string;
  family(productType: Family): string;
  /** A title in the clerk's words; it is found by the catalog's as well. */
  contents(title: string): string;
}

/** eSIMs of a brand in a region, and the cheapest of them. */
interface Regional {
  readonly brand: FoundBrand & { readonly area: EsimArea };
  readonly cheapest: FoundOffer;
}

/** Fewer letters begin too many countries. */
const LEAST_OF_COUNTRY = 3;
/** How many incidental results have room at the end of a full list. */
const ROOM_AT_END = 2;
const NOTHING: Found = { brands: [], offers: [] };
/** More than the nearest country counts (1), less than the beginning of a word of the name (2). */
const OWN_SALES = 1.5;
/** The amount as it was typed, not one that only has its digits: more than the nearest country and own sales. */
const EXACT_AMOUNT = 3;
const NEVER_SOLD: Usualness = () => 0;
/** Beyond this many matches they are shown unranked: ranking them would take longer than a frame. */
const RANKED = 1_000;
/** Words in any order, up to three: more would be tried in too many orders. */
const WORDS_IN_ANY_ORDER = 3;

/** Letters of every script count as letters; accents are taken off beforehand. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: String.raw`[^\p{L}\d']+`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d']`,
  intraContr: String.raw`'\p{L}{1,2}\b`,
  // What fits equally well stays in the order of the index.
  compare: () => 0,
});

/** Everything that is sold, searched in memory so that no answer waits for the gateway. */
export class SearchIndex {
  readonly #brands: FoundBrand[] = [];
  readonly #brandTexts: string[] = [];
  readonly #offers: FoundOffer[] = [];
  readonly #offerTexts: string[] = [];
  /** The words of each brand's name, taken apart once. */
  readonly #names = new Map<string, readonly string[]>();
  /** eSIMs of regions, by brand and area, and the countries that they are asked for by. */
  readonly #regional: Regional[] = [];
  readonly #countries = new Map<string, readonly string[]>();
  /** Words of letters and digits; taken out once, when a digit is typed after a letter. */
  #mixed: readonly string[] | undefined;
  /** By their ids; made when the first is asked for. */
  #byId: ReadonlyMap<string, FoundOffer> | undefined;
  /** What their families are called. */
  readonly #regionalWords = new Set<string>();

  constructor(index: PosSearchIndex, words: SearchWords) {
    const brands = new Map(index.brands.map((brand) => [brand.brand, brand]));
    for (const { productType, brand, country, area, offers } of inOrder(index.groups)) {
      const { brandName = brand, brandColor = "" } = brands.get(brand) ?? {};
      const head = { productType, brand, brandName, brandColor, country };
      const found = area ? { ...head, area } : head;
      const regions = area?.regions.map(words.region).join(" ") ?? "";
      const place = country && `${words.country(country)} ${country}`;
      const text = fold(`${brandName} ${place || regions} ${words.family(productType)}`);
      this.#names.set(brand, wordsOf(brandName));
      this.#brands.push(found);
      this.#brandTexts.push(text);
      for (const [offerId, title, price] of offers) {
        this.#offers.push({ ...found, offerId, title, price });
        this.#offerTexts.push(`${text} ${fold(`${title} ${words.contents(title)}`)}`);
      }
      if (area) this.#addRegional({ ...found, area }, offers, words);
    }
  }

  #addRegional(
    brand: Regional["brand"],
    offers: PosSearchIndex["groups"][number]["offers"],
    words: SearchWords,
  ): void {
    const [cheapest] = offers.toSorted((a, b) => a[2] - b[2]);
    if (!cheapest) return;
    const [offerId, title, price] = cheapest;
    for (const word of wordsOf(words.family(brand.productType))) this.#regionalWords.add(word);
    this.#regional.push({ brand, cheapest: { ...brand, offerId, title, price } });
    for (const code of brand.area.countries) {
      if (!this.#countries.has(code)) this.#countries.set(code, wordsOf(words.country(code)));
    }
  }

  /** A biller by its name in the catalog, where it is sold. */
  billerOf(brand: string, country: string): FoundBrand | undefined {
    return this.#brands.find(
      (one) => one.productType === "BILL_PAY" && one.brand === brand && one.country === country,
    );
  }

  get size(): number {
    return this.#offers.length;
  }

  /**
   * The best of what has all the words that were typed, whole or begun, in any order: by how much of
   * its name they are, then what this shop sells at this hour and what is sold for its own country, then
   * as well as the rest fits. Where a country was typed, eSIMs of regions that it is in come last, and
   * have room kept for them.
   */
  find(
    typed: string,
    limit: { brands: number; offers: number },
    home = "",
    usual: Usualness = NEVER_SOLD,
  ): Found {
    const needle = fold(typed).trim();
    if (needle === "") return NOTHING;
    const words = needle.toLowerCase().split(/\s+/);
    const worthOf = this.#worthBy(words, home);
    const pick = <One extends FoundBrand>(all: readonly One[], texts: string[], most: number) =>
      mostWorth(
        best(texts, needle).flatMap((at) => all[at] ?? []),
        (one) => worthOf(one) + OWN_SALES * usual(one),
        most,
      );
    const regional = this.#regionalOf(words);
    return {
      brands: withRoom(
        pick(this.#brands, this.#brandTexts, limit.brands),
        regional.map(({ brand }) => brand),
        limit.brands,
      ),
      offers: withRoom(
        pick(this.#offers, this.#offerTexts, limit.offers),
        regional.map(({ cheapest }) => cheapest),
        limit.offers,
      ),
    };
  }

  /** One offer; undefined of what is not sold now. */
  offer(offerId: string): FoundOffer | undefined {
    this.#byId ??= new Map(this.#offers.map((offer) => [offer.offerId, offer]));
    return this.#byId.get(offerId);
  }

  /** Whether a word of what is sold, letters with a digit after them such as "O2", begins with this one. */
  isBegun(word: string): boolean {
    this.#mixed ??= mixedWords(this.#offerTexts);
    const begun = fold(word).toLowerCase();
    return this.#mixed.some((one) => one.startsWith(begun));
  }

  /** The cheapest first of those that work in a country that was typed, with or without "eSIM". */
  #regionalOf(typed: readonly string[]): readonly Regional[] {
    const families = [...this.#regionalWords];
    const names = typed.filter((word) => !families.some((one) => one.startsWith(word)));
    if (names.join("").length < LEAST_OF_COUNTRY) return [];
    const asked = [...this.#countries].flatMap(([code, words]) =>
      names.every((name) => words.some((word) => word.startsWith(name))) ? [code] : [],
    );
    return this.#regional
      .filter(({ brand }) => asked.some((code) => brand.area.countries.includes(code)))
      .sort((a, b) => a.cheapest.price - b.cheapest.price);
  }

  /**
   * What each thing found is worth: its name as a whole counts more than the beginning of a word of it,
   * that more than its country. A letter finds thousands of offers, so what they share is worked out once
   * for each brand and each country.
   */
  #worthBy(words: readonly string[], home: string): (found: FoundBrand | FoundOffer) => number {
    const amounts = words.filter((word) => /^\d/.test(word));
    const named = remembered((brand) => howNamed(this.#names.get(brand) ?? [], words));
    const near = remembered((country) => nearness(country, home));
    return (found) => {
      const isExact = amounts.length > 0 && "title" in found && hasAmount(found.title, amounts);
      return named(found.brand) + EXACT_AMOUNT * Number(isExact) + near(found.country);
    };
  }
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
function mostWorth<One>(all: readonly One[], worthOf: (one: One) => number, most: number): One[] {
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

function withRoom<One>(found: readonly One[], more: readonly One[], most: number): One[] {
  const known = new Set(found.map((one) => JSON.stringify(one)));
  const added = more.filter((one) => !known.has(JSON.stringify(one))).slice(0, ROOM_AT_END);
  return [...found.slice(0, Math.max(0, most - added.length)), ...added].slice(0, most);
}

function mixedWords(texts: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.toLowerCase().split(NOT_OF_WORDS)));
  return [...words].filter((word) => /^\p{L}+\d/u.test(word));
}

function wordsOf(text: string): readonly string[] {
  return fold(text).toLowerCase().split(NOT_OF_WORDS);
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

const NOT_OF_WORDS = /[\s·.,()&'’-]+/;

/** What is asked for most often first. */
function inOrder(groups: PosSearchIndex["groups"]): PosSearchIndex["groups"] {
  const rank = (group: { productType: Family }) => FAMILIES.indexOf(group.productType);
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

function fold(text: string): string {
  return uFuzzy.latinize(text);
}

/** Positions of the matches, best first. */
function best(texts: string[], needle: string): number[] {
  const wordsInAnyOrder = needle.split(/\s+/).length <= WORDS_IN_ANY_ORDER ? 1 : 0;
  const [found, info, order] = fuzzy.search(texts, needle, wordsInAnyOrder, RANKED);
  if (!found) return [];
  return info && order ? order.flatMap((at) => info.idx[at] ?? []) : [...found];
}
