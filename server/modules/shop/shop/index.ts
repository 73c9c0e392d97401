export { readLogo } from "./logo-picture.ts";
export { findLogoPicture, readLogoFile, replaceLogo } from "./logo-service.ts";
export { createShopModule } from "./module.ts";
export { type ReferenceRates, ShopService, toInstant } from "./shop-service.ts";
export { findShop, readShopCountry, readTerms, type Shop } from "./shop-store.ts";
export {
  environmentChanged,
  type RequireEnvironment,
  requireTillEnvironment,
} from "./till-environment.ts";
