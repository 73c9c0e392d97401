export { registerCounterRoutes } from "./counter-routes.ts";
export { CounterService } from "./counter-service.ts";
export { EsimCounterService } from "./esim-counter-service.ts";
export { GiveBackService } from "./give-back-service.ts";
export { registerHeldSaleRoutes } from "./held-sale-routes.ts";
export { HeldSaleService } from "./held-sale-service.ts";
export { registerSaleRoutes } from "./sale-routes.ts";
export { SaleService } from "./sale-service.ts";
export { findSalesOf, type SaleOfTransaction } from "./sale-store.ts";
