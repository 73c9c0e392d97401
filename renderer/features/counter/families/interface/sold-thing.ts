import type { Region } from "../../../../../server/contract/common.ts";
import type { Family } from "../../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";

/** Something that is sold, as the one field found it by what was typed. */
export interface SoldThing {
  readonly id: string;
  readonly productType: Family;
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  /** All that it is called, in the clerk's words: brand, place, family, and the offer's title. */
  readonly called: string;
  /** ISO 3166-1 alpha-2; empty for an eSIM of a region. */
  readonly country: string;
  /** Where an eSIM of no single country works. */
  readonly region?: Region;
  /** One offer of the brand, where as much was typed. */
  readonly offer?: {
    readonly offerId: string;
    readonly title: string;
    /** What the customer pays for it, written with its currency. */
    readonly price: string;
  };
  /** The account that was typed after the name of a biller. */
  readonly account?: string;
  /** What the barcode of a bill states, which its biller has not said. */
  readonly stated?: {
    /** Written with its currency. */
    readonly amount?: string;
    /** The day on which it is due, as it is written here. */
    readonly dueDay?: string;
  };
}

/** What was opened from the one field, and is chosen as soon as the gateway has listed it. */
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

/** What is sold, searched by words. */
export interface ThingFinder {
  /** The best nine at the most. */
  readonly find: (text: string) => readonly SoldThing[];
  /** Whether a word of something that is sold begins so: a digit typed next belongs to it. */
  readonly isBegun: (word: string) => boolean;
  /** Returns the text with misspelled brand names corrected; undefined if nothing is near. */
  readonly correct?: (text: string) => string | undefined;
  /** What this shop sells at this hour, the most usual first; undefined until it is known. */
  readonly usual: readonly SoldThing[] | undefined;
}

/** What is found for the words in the one field. */
export interface FoundThings {
  readonly list: readonly SoldThing[];
  /** Of fewer words than are typed by now. */
  readonly isBehind: boolean;
  readonly isBegun: (word: string) => boolean;
  /** Returns the text with misspelled brand names corrected; undefined if nothing is near. */
  readonly correct?: ((text: string) => string | undefined) | undefined;
  /** What this shop sells at this hour, to be picked while nothing is typed; undefined until it is known. */
  readonly usual: readonly SoldThing[] | undefined;
  /** Goes on with it in its family. */
  readonly open: (thing: SoldThing) => void;
  /** Shows a sale that was made before. */
  readonly openSale: (sale: Sale) => void;
  /** Whether all of the text is something that a family begins with, such as an ICCID; opens it. */
  readonly reads: (text: string) => (() => void) | undefined;
}
