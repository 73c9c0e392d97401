import uFuzzy from "@leeoniya/ufuzzy";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";

export type SearchedFamily = PosSearchIndex["groups"][number]["productType"];

/** A brand in a country, as something to open. */
export interface FoundBrand {
  readonly productType: SearchedFamily;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  readonly country: string;
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

/** Words that belong to a country and a family in the languages the clerk may type. */
export interface SearchWords {
  country(code: string): string;
  family(productType: SearchedFamily): string;
  /** A title in the clerk's words; it is found by the catalog's as well. */
  contents(title: string): string;
}

const NOTHING: Found = { brands: [], offers: [] };
/** Beyond so many matches they are shown as they come: ranking them would take longer than a frame. */
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

  constructor(index: PosSearchIndex, words: SearchWords) {
    const brands = new Map(index.brands.map((brand) => [brand.brand, brand]));
    for (const { productType, brand, country, offers } of inOrder(index.groups)) {
      const { brandName = brand, brandColor = "" } = brands.get(brand) ?? {};
      const found = { productType, brand, brandName, brandColor, country };
      const place = country && `${words.country(country)} ${country}`;
      const text = fold(`${brandName} ${place} ${words.family(productType)}`);
      this.#names.set(brand, fold(brandName).toLowerCase().split(NOT_OF_WORDS));
      this.#brands.push(found);
      this.#brandTexts.push(text);
      for (const [offerId, title, price] of offers) {
        this.#offers.push({ ...found, offerId, title, price });
        this.#offerTexts.push(`${text} ${fold(`${title} ${words.contents(title)}`)}`);
      }
    }
  }

  get size(): number {
    return this.#offers.length;
  }

  /**
   * The best of what has all the words that were typed, whole or begun, in any order: by how much of
   * its name they are, then what is sold for the shop's own country, then as well as the rest fits.
   */
  find(typed: string, limit: { brands: number; offers: number }, home = ""): Found {
    const needle = fold(typed).trim();
    if (needle === "") return NOTHING;
    const words = needle.toLowerCase().split(/\s+/);
    const pick = <One extends FoundBrand>(all: readonly One[], texts: string[], most: number) =>
      best(texts, needle)
        .flatMap((at) => all[at] ?? [])
        .map((one, order) => ({ one, order, worth: this.#worthOf(one, words, home) }))
        .sort((a, b) => b.worth - a.worth || a.order - b.order)
        .slice(0, most)
        .map(({ one }) => one);
    return {
      brands: pick(this.#brands, this.#brandTexts, limit.brands),
      offers: pick(this.#offers, this.#offerTexts, limit.offers),
    };
  }

  /** Its name as a whole counts more than the beginning of a word of it, that more than its country. */
  #worthOf({ brand, country }: FoundBrand, words: readonly string[], home: string): number {
    const name = this.#names.get(brand) ?? [];
    const isWhole = name.length > 0 && name.every((part) => words.includes(part));
    const isBegun = words.some((word) => name.some((part) => part.startsWith(word)));
    const named = isWhole ? 4 : 2 * Number(isBegun);
    return named + nearness(country, home);
  }
}

/** From 0, far away, to 1, the shop's own country: neighbours by calling code and by language between. */
function nearness(country: string, home: string): number {
  if (country === "" || home === "" || country === home) {
    return Number(country !== "" && country === home);
  }
  const isNear = worldZone(country) !== "" && worldZone(country) === worldZone(home);
  return 0.5 * Number(isNear) + 0.25 * Number(languageOf(country) === languageOf(home));
}

/** The first digit of a calling code: the part of the world. */
function worldZone(country: string): string {
  return isSupportedCountry(country) ? getCountryCallingCode(country).slice(0, 1) : "";
}

const languages = new Map<string, string>();

/** The language most people of a country write. */
function languageOf(country: string): string {
  const known = languages.get(country) ?? new Intl.Locale(`und-${country}`).maximize().language;
  languages.set(country, known);
  return known;
}

const NOT_OF_WORDS = /[\s·.,()&'’-]+/;

const FAMILY_ORDER: readonly SearchedFamily[] = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"];

/** What is asked for most often first. */
function inOrder(groups: PosSearchIndex["groups"]): PosSearchIndex["groups"] {
  const rank = (group: { productType: SearchedFamily }) => FAMILY_ORDER.indexOf(group.productType);
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
