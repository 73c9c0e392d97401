export { registerBrandPictures, registerBrandRoutes } from "./brand-routes.ts";
export { BrandService } from "./brand-service.ts";
export { CatalogService, loadSandboxCatalog, readSandboxCatalog } from "./catalog-service.ts";
export type { PricingTerms } from "./offer-pricing.ts";
export { type Quote, quoteOffer } from "./offer-quote.ts";
export { registerOfferRoutes } from "./offer-routes.ts";
export { registerPromoRoutes } from "./promo-routes.ts";
export { PromoService } from "./promo-service.ts";
