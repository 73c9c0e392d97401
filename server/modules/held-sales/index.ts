export { registerHeldSaleRoutes } from "./held-sale-routes.ts";
export { HeldSaleService } from "./held-sale-service.ts";
