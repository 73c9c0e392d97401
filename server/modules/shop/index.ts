export { createShopModule } from "./module.ts";
export type { ReferenceRates } from "./reference-rates.ts";
export { readShopCountry, readTerms, type Shop, ShopService } from "./shop-service.ts";
export {
  environmentChanged,
  type RequireEnvironment,
  requireTillEnvironment,
} from "./till-environment.ts";
