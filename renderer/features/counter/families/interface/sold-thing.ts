import type { Region } from "../../../../../server/contract/common.ts";
import type { Family } from "../../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";

export interface SoldThing {
  readonly id: string;
  readonly productType: Family;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** Searchable text in the clerk's language: brand, place, family and offer title. */
  readonly called: string;
  /** ISO 3166-1 alpha-2; empty for a regional eSIM. */
  readonly country: string;
  readonly region?: Region;
  /** Set if the search words match exactly one offer of the brand. */
  readonly offer?: {
    readonly offerId: string;
    readonly title: string;
    /** Customer's price, formatted with its currency. */
    readonly price: string;
  };
  /** Account number that the clerk typed after the biller's name. */
  readonly account?: string;
  /** Data in a bill's barcode, which the biller has not confirmed. */
  readonly stated?: {
    readonly amount?: string;
    readonly dueDay?: string;
  };
}

/**
 * Product picked in the number field. Its family selects the product after the gateway has listed
 * it.
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
   * Returns whether a word of a product name starts with `word`: a 2 typed after "o" continues
   * "O2".
   */
  readonly isBegun: (word: string) => boolean;
  /** Returns the text with corrected brand names. Undefined if no brand name is similar. */
  readonly correct?: (text: string) => string | undefined;
  /** Usual products of the shop at this hour, most frequent first. Undefined until loaded. */
  readonly usual: readonly SoldThing[] | undefined;
}

export interface FoundThings {
  readonly list: readonly SoldThing[];
  /** True if the results belong to an earlier, shorter text. */
  readonly isBehind: boolean;
  readonly isBegun: (word: string) => boolean;
  readonly correct?: ((text: string) => string | undefined) | undefined;
  readonly usual: readonly SoldThing[] | undefined;
  readonly open: (thing: SoldThing) => void;
  readonly openSale: (sale: Sale) => void;
  /**
   * Returns a function that opens the draft of the family that recognises the whole text, such as
   * an ICCID.
   */
  readonly reads: (text: string) => (() => void) | undefined;
}
