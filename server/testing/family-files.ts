/** The existing files that the family is added to; all others are its own. */
export const ADDED_TO = [
  "contract/faces/glyph-of-brand.ts",
  "contract/pos/families.ts",
  "contract/v1/offers.ts",
  "contract/pos/offers.ts",
  "modules/catalog/counter-catalog/families/index.ts",
  "modules/purchases/purchases/families/index.ts",
  "modules/office/shop-reports/day-pdf/day-words.json",
  "modules/providers/upstream/offer-reading.ts",
  "providers/families/index.ts",
  "testing/simulation/goods.ts",
] as const;
/** The same in the renderer, but for the list of the families' words. */
export const ADDED_TO_RENDERER = [
  "features/counter/families/index.ts",
  "features/counter/testing/typed-families.ts",
  "features/receipts/blocks/receipt-blocks.ts",
] as const;
/** The compiler names a text by who reads it. */
export const DAY_WORDS_READER = "modules/office/shop-reports/day-pdf/day-pdf.ts";
