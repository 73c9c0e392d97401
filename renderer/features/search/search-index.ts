import uFuzzy from "@leeoniya/ufuzzy";
import type { EsimArea } from "../../../server/contract/pos/esims.ts";
import { FAMILIES, type Family } from "../../../server/contract/pos/families.ts";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";
import { unitApart } from "../../lib/search-text.ts";
import { mostWorth, worthBy } from "./found-worth.ts";

/** Shorter words are similar to too many other words. */
const MIN_LETTERS = 4;
/** Words of this length may have two errors, shorter words one. */
const LONG_WORD = 7;

/**
 * Returns the word that is closest to a misspelled word, or the first of several. Errors are wrong,
 * missing, additional and swapped letters.
 * @param words in lower case and without accents, like `typed`
 */
export function findNearWord(typed: string, words: Iterable<string>): string | undefined {
  if (typed.length < MIN_LETTERS) return undefined;
  let most = typed.length < LONG_WORD ? 1 : 2;
  let near: string | undefined;
  for (const word of words) {
    if (Math.abs(word.length - typed.length) > most) continue;
    const errors = countErrors(typed, word);
    if (errors > most) continue;
    near = word;
    most = errors - 1;
    if (most < 0) break;
  }
  return near;
}

/** Returns the optimal string alignment distance. */
export function countErrors(one: string, other: string): number {
  const width = other.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let at = 1; at < width; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped =
        row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      current[at] = Math.min(
        (last[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + Number(!isSame),
        isSwapped ? (beforeLast[at - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[width - 1] ?? 0;
}

/** Maximum number of ranked matches. Ranking more takes longer than a frame. */
const RANKED = 1_000;
/** Maximum number of words that may match in any order. More words have too many permutations. */
const WORDS_IN_ANY_ORDER = 3;

/** Letters of every script belong to words. Accents are already removed. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: String.raw`[^\p{L}\d']+`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d']`,
  intraContr: String.raw`'\p{L}{1,2}\b`,
  // Equally good matches keep the order of the index.
  compare: () => 0,
});

const NOT_OF_WORDS = /[\s·.,()&'’-]+/;

export interface FoundBrand {
  readonly productType: Family;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** ISO 3166-1 alpha-2, empty for an eSIM of a region. */
  readonly country: string;
  readonly area?: EsimArea;
}

/** `price` includes the fee, in minor units of the shop's currency. */
export interface FoundOffer extends FoundBrand {
  readonly offerId: string;
  readonly title: string;
  readonly price: number;
}

export interface Found {
  readonly brands: readonly FoundBrand[];
  readonly offers: readonly FoundOffer[];
}

/** Returns how often this till sells a brand or an offer, from 0 to 1. */
export type Usualness = (found: FoundBrand & { readonly offerId?: string }) => number;

export interface SearchWords {
  country(code: string): string;
  region(region: string): string;
  family(productType: Family): string;
  /** Translates a title to the clerk's language. The search finds both texts. */
  contents(title: string): string;
}

interface Regional {
  readonly brand: FoundBrand & { readonly area: EsimArea };
  readonly cheapest: FoundOffer;
}

/** Fewer letters match too many countries. */
const LEAST_OF_COUNTRY = 3;
/** Number of rows that a full list reserves for secondary results. */
const ROOM_AT_END = 2;
const NOTHING: Found = { brands: [], offers: [] };
/** Score of usual sales: above the shop's own country (1), below the start of a word (2). */
const OWN_SALES = 1.5;
const NEVER_SOLD: Usualness = () => 0;
/** Searches all offers in memory, so that no result waits for the gateway. */
export class SearchIndex {
  readonly #brands: FoundBrand[] = [];
  readonly #brandTexts: string[] = [];
  readonly #offers: FoundOffer[] = [];
  readonly #offerTexts: string[] = [];
  readonly #names = new Map<string, readonly string[]>();
  readonly #regional: Regional[] = [];
  readonly #countries = new Map<string, readonly string[]>();
  /** Words such as "O2". Computed when a digit is first typed after a letter. */
  #mixed: readonly string[] | undefined;
  #byId: ReadonlyMap<string, FoundOffer> | undefined;
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

  /**
   * Returns the brands of a country except carriers, in the order of the index. `most` limits each
   * family.
   */
  startersIn(home: string, most: Readonly<Partial<Record<Family, number>>>): FoundBrand[] {
    return FAMILIES.flatMap((family) =>
      this.#brands
        .filter(({ productType, country }) => productType === family && country === home)
        .slice(0, most[family] ?? 0),
    );
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

  /** Returns a biller; undefined if it is not for sale. */
  billerOf(brand: string, country: string): FoundBrand | undefined {
    return this.#brands.find(
      (one) => one.productType === "BILL_PAY" && one.brand === brand && one.country === country,
    );
  }

  get size(): number {
    return this.#offers.length;
  }

  /**
   * Returns the best matches. A match has, for each typed word, a word that starts with it. Matches
   * are ranked by the matched share of the name, then by the shop's sales at this hour and its own
   * country, then by the text. For a typed country, the last rows are regional eSIMs that include
   * the country. If nothing matches, an amount and its unit typed as one word are searched as two.
   */
  find(
    typed: string,
    limit: { brands: number; offers: number },
    home = "",
    usual: Usualness = NEVER_SOLD,
  ): Found {
    const needle = fold(typed).trim();
    if (needle === "") return NOTHING;
    const found = this.#findAll(needle, limit, home, usual);
    const parted = unitApart(needle);
    const isNothing = found.brands.length + found.offers.length === 0;
    return isNothing && parted !== needle ? this.#findAll(parted, limit, home, usual) : found;
  }

  #findAll(
    needle: string,
    limit: { brands: number; offers: number },
    home: string,
    usual: Usualness,
  ): Found {
    const words = needle.toLowerCase().split(/\s+/);
    const worthOf = worthBy(words, home, (brand) => this.#names.get(brand) ?? []);
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

  /**
   * Corrects brand names: "netflx 50" becomes "netflix 50".
   * @returns undefined if no name is similar, or if the corrected text finds nothing
   */
  correct(typed: string): string | undefined {
    const names = [...this.#names.values()].flat();
    const words = typed.trim().split(/\s+/);
    const corrected = words.map((word) => {
      const folded = fold(word).toLowerCase();
      const isBegun = names.some((name) => name.startsWith(folded));
      return isBegun ? word : (findNearWord(folded, names) ?? word);
    });
    if (corrected.every((word, at) => word === words[at])) return undefined;
    const text = corrected.join(" ");
    const { brands, offers } = this.find(text, { brands: 1, offers: 1 });
    return brands.length + offers.length > 0 ? text : undefined;
  }

  /** Returns an offer; undefined if it is not for sale now. */
  offer(offerId: string): FoundOffer | undefined {
    this.#byId ??= new Map(this.#offers.map((offer) => [offer.offerId, offer]));
    return this.#byId.get(offerId);
  }

  /** Returns whether a word such as "O2" in the offers starts with this text. */
  isBegun(word: string): boolean {
    this.#mixed ??= mixedWords(this.#offerTexts);
    const begun = fold(word).toLowerCase();
    return this.#mixed.some((one) => one.startsWith(begun));
  }

  /** Returns regional eSIMs for a typed country, with or without "eSIM", cheapest first. */
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
}

function withRoom<One>(found: readonly One[], more: readonly One[], most: number): One[] {
  const known = new Set(found.map((one) => JSON.stringify(one)));
  const added = more.filter((one) => !known.has(JSON.stringify(one))).slice(0, ROOM_AT_END);
  return [...found.slice(0, Math.max(0, most - added.length)), ...added].slice(0, most);
}

function inOrder(groups: PosSearchIndex["groups"]): PosSearchIndex["groups"] {
  const rank = (group: { productType: Family }) => FAMILIES.indexOf(group.productType);
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

function fold(text: string): string {
  return uFuzzy.latinize(text);
}

function wordsOf(text: string): readonly string[] {
  return fold(text).toLowerCase().split(NOT_OF_WORDS);
}

function mixedWords(texts: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.toLowerCase().split(NOT_OF_WORDS)));
  return [...words].filter((word) => /^\p{L}+\d/u.test(word));
}

/** Positions of the matches, best first. */
function best(texts: string[], needle: string): number[] {
  const wordsInAnyOrder = needle.split(/\s+/).length <= WORDS_IN_ANY_ORDER ? 1 : 0;
  const [found, info, order] = fuzzy.search(texts, needle, wordsInAnyOrder, RANKED);
  if (!found) return [];
  return info && order ? order.flatMap((at) => info.idx[at] ?? []) : [...found];
}
