export { type ReferenceRates, readReferenceRates } from "./reference-rates.ts";
export { registerSetupRoutes } from "./setup-routes.ts";
export { readTerms, ShopService } from "./shop-service.ts";
export {
  environmentChanged,
  type RequireEnvironment,
  requireTillEnvironment,
} from "./till-environment.ts";
