export { CatalogService, loadSandboxCatalog, readSandboxCatalog } from "./catalog-service.ts";
export type { PricingTerms } from "./offer-pricing.ts";
export { type Quote, quoteOffer } from "./offer-quote.ts";
export { registerTopupOfferRoutes } from "./offer-routes.ts";
