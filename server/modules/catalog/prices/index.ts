export { createFloorGuard, findBelowCost, type RequireFloor } from "./floor-guard.ts";
export { calculateLineCost, type LineCost, sumLineCosts } from "./line-cost.ts";
export { createPricesModule } from "./module.ts";
export { PriceEngine } from "./price-engine.ts";
export type { PriceAuthor, PriceListService } from "./price-list-service.ts";
export {
  addStartingLists,
  countLossAgain,
  EMPTY_LIST,
  findNewest,
  readListInForce,
  releaseLoss,
} from "./price-list-store.ts";
export { compareWithSuggested } from "./price-preview.ts";
export { PriceReader, type PricesInForce } from "./price-reader.ts";
export { type RateDeps, readDrift } from "./rate-drift.ts";
export { taxPart } from "./tax-part.ts";
