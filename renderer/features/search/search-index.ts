import uFuzzy from "@leeoniya/ufuzzy";
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

  constructor(index: PosSearchIndex, words: SearchWords) {
    const brands = new Map(index.brands.map((brand) => [brand.brand, brand]));
    for (const { productType, brand, country, offers } of inOrder(index.groups)) {
      const { brandName = brand, brandColor = "" } = brands.get(brand) ?? {};
      const found = { productType, brand, brandName, brandColor, country };
      const place = country && `${words.country(country)} ${country}`;
      const text = fold(`${brandName} ${place} ${words.family(productType)}`);
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

  /** The best of what has all the words that were typed, whole or begun, in any order. */
  find(typed: string, limit: { brands: number; offers: number }): Found {
    const needle = fold(typed).trim();
    if (needle === "") return NOTHING;
    return {
      brands: best(this.#brandTexts, needle, limit.brands).flatMap((at) => this.#brands[at] ?? []),
      offers: best(this.#offerTexts, needle, limit.offers).flatMap((at) => this.#offers[at] ?? []),
    };
  }
}

const FAMILY_ORDER: readonly SearchedFamily[] = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"];

/** What is asked for most often first. */
function inOrder(groups: PosSearchIndex["groups"]): PosSearchIndex["groups"] {
  const rank = (group: { productType: SearchedFamily }) => FAMILY_ORDER.indexOf(group.productType);
  return groups.toSorted((a, b) => rank(a) - rank(b));
}

function fold(text: string): string {
  return uFuzzy.latinize(text);
}

/** Positions of the best matches, best first. */
function best(texts: string[], needle: string, limit: number): number[] {
  const wordsInAnyOrder = needle.split(/\s+/).length <= WORDS_IN_ANY_ORDER ? 1 : 0;
  const [found, info, order] = fuzzy.search(texts, needle, wordsInAnyOrder, RANKED);
  if (!found) return [];
  return info && order
    ? order.slice(0, limit).flatMap((at) => info.idx[at] ?? [])
    : found.slice(0, limit);
}
