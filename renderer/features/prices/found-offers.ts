import type { Family } from "../../../server/contract/pos/families.ts";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";
import { foldLetters } from "../../lib/search-text.ts";

export interface SoldOffer {
  readonly offerId: string;
  readonly brandName: string;
  readonly title: string;
  /** ISO 3166-1 alpha-2; empty for an eSIM of a region. */
  readonly country: string;
  readonly productType: Family;
  /** In minor units of the shop's currency. For an any-amount offer, the lowest price. */
  readonly price: number;
}

export type Findable = readonly [text: string, offer: SoldOffer];

/** Returns the offers with their search texts. Slow, so called only once for each index. */
export function findableOffers(
  { brands, groups }: PosSearchIndex,
  words: {
    readonly country: (code: string) => string;
    readonly family: (family: Family) => string;
  },
): readonly Findable[] {
  const names = new Map(brands.map(({ brand, brandName }) => [brand, brandName]));
  return groups.flatMap(({ brand, country, productType, offers }) => {
    const brandName = names.get(brand) ?? brand;
    const place = country === "" ? "" : `${words.country(country)} ${country}`;
    const head = `${brandName} ${place} ${words.family(productType)}`;
    return offers.map(([offerId, title, price]): Findable => {
      const offer = { offerId, brandName, title, country, productType, price };
      return [foldLetters(`${head} ${title} ${offerId}`), offer];
    });
  });
}

const MOST_SHOWN = 20;

/** Returns the offers that contain every typed word, in any order. */
export function findOffers(all: readonly Findable[], typed: string): SoldOffer[] {
  const words = foldLetters(typed).split(/\s+/).filter(Boolean);
  const found: SoldOffer[] = [];
  for (const [text, offer] of words.length === 0 ? [] : all) {
    if (words.every((word) => text.includes(word))) {
      found.push(offer);
    }
    if (found.length === MOST_SHOWN) {
      break;
    }
  }
  return found;
}
