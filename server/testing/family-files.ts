/** Existing server files that a new product family must change. All its other files are new. */
export const ADDED_TO = [
  "contract/faces/glyph-of-brand.ts",
  "contract/pos/families.ts",
  "contract/v1/offers.ts",
  "contract/pos/offers.ts",
  "modules/catalog/counter-catalog/index.ts",
  "modules/purchases/purchases/families/index.ts",
  "modules/office/shop-reports/day-pdf/day-words.json",
  "providers/gateway/offer-reading.ts",
  "providers/families/index.ts",
  "testing/simulation/goods.ts",
] as const;
/**
 * Existing renderer files that a new product family must change, except the list of family texts.
 */
export const ADDED_TO_RENDERER = [
  "features/counter/families/index.ts",
  "features/counter/testing/typed-families.ts",
  "features/receipts/blocks/receipt-blocks.ts",
] as const;
/** File in which the compiler reports a family without a text for the day report. */
export const DAY_WORDS_READER = "modules/office/shop-reports/day-pdf/day-pdf.ts";
