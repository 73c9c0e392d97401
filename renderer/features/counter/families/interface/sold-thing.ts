import type { Region } from "../../../../../server/contract/common.ts";
import type { Family } from "../../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";

export interface SoldThing {
  readonly id: string;
  readonly productType: Family;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** Searchable text in the clerk's language: brand, place, family and the offer's title. */
  readonly called: string;
  /** ISO 3166-1 alpha-2; empty for a regional eSIM. */
  readonly country: string;
  /** Region of an eSIM that covers several countries. */
  readonly region?: Region;
  /** Set if the words match a single offer of the brand. */
  readonly offer?: {
    readonly offerId: string;
    readonly title: string;
    /** Customer's price, formatted with its currency. */
    readonly price: string;
  };
  /** Account number typed after the name of a biller. */
  readonly account?: string;
  /** Data from the barcode of a bill. The biller has not confirmed it. */
  readonly stated?: {
    /** Formatted with its currency. */
    readonly amount?: string;
    readonly dueDay?: string;
  };
}

/**
 * Product picked in the number field. Its family selects the product as soon as the gateway has
 * listed it.
 */
export interface WantedThing {
  readonly brand: string;
  readonly country: string;
  readonly offerId?: string;
  readonly account?: string;
}

export function wantedOf({ brand, country, offer, account }: SoldThing): WantedThing {
  return {
    brand,
    country,
    ...(offer && { offerId: offer.offerId }),
    ...(account !== undefined && { account }),
  };
}

export interface ThingFinder {
  /** Returns at most nine results, best first. */
  readonly find: (text: string) => readonly SoldThing[];
  /**
   * Returns whether a word of a product name starts with `word`: after "o", the digit 2 continues
   * "O2".
   */
  readonly isBegun: (word: string) => boolean;
  /** Returns the text with misspelled brand names corrected; undefined if no name is similar. */
  readonly correct?: (text: string) => string | undefined;
  /**
   * Products that the shop usually sells at this hour, most frequent first; undefined until loaded.
   */
  readonly usual: readonly SoldThing[] | undefined;
}

export interface FoundThings {
  readonly list: readonly SoldThing[];
  /** The results belong to an earlier, shorter text. */
  readonly isBehind: boolean;
  readonly isBegun: (word: string) => boolean;
  readonly correct?: ((text: string) => string | undefined) | undefined;
  /**
   * Usual products at this hour, which can be picked while the field is empty; undefined until
   * loaded.
   */
  readonly usual: readonly SoldThing[] | undefined;
  readonly open: (thing: SoldThing) => void;
  readonly openSale: (sale: Sale) => void;
  /**
   * Returns a function that opens a draft if a family recognises the whole text, such as an ICCID.
   */
  readonly reads: (text: string) => (() => void) | undefined;
}
