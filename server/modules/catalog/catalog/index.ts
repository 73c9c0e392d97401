export { pickInstructions } from "./brand-service.ts";
export type { CatalogChoiceService } from "./catalog-choice-service.ts";
export {
  type CatalogChoices,
  endReplacement,
  fitsTarget,
  isTroubled,
  listInForce,
  listJoinedSellers,
  listSellers,
  noteChoice,
  noteProviderState,
  type OfferSwitch,
  OfferSwitches,
  readPins,
} from "./catalog-choices.ts";
export { changesNothing, describeDifference } from "./catalog-difference.ts";
export {
  type CatalogFile,
  CatalogFileFault,
  catalogFileParts,
  formatCatalogFile,
  type PlacedFault,
  readCatalogFile,
} from "./catalog-file.ts";
export { recordCatalogUpdate } from "./catalog-history.ts";
export { packCatalog, unpackCatalog } from "./catalog-pack.ts";
export { CatalogService } from "./catalog-service.ts";
export type { CatalogSnapshot } from "./catalog-snapshot.ts";
export { countOffers, findCatalogVersion } from "./catalog-store.ts";
export {
  CatalogRefused,
  type CatalogReport,
  CatalogUpdateService,
  compareByStored,
} from "./catalog-update.ts";
export { createCatalogModule } from "./module.ts";
export {
  getLowestCost,
  type PricedScope,
  type Pricing,
  priceOffer,
  type Quote,
  quoteDelivered,
  quoteOffer,
  sendUnitOf,
  sumCost,
} from "./offer-quote.ts";
export {
  compareCosts,
  costOf,
  getLargestAmount,
  getSoldBrand,
  type ProductCosts,
  providerOf,
} from "./products.ts";
export { PromoService } from "./promo-service.ts";
export {
  type ProviderRouting,
  readRouting,
  writeRouting,
} from "./provider-routing.ts";
export {
  loadSandboxCatalog,
  readSandboxCatalog,
  readSandboxRows,
} from "./sandbox-catalog.ts";
