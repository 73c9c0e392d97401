export { CounterService } from "./counter-service.ts";
export { registerSaleRoutes } from "./sale-routes.ts";
export { SaleService } from "./sale-service.ts";
export { findSalesOf, type SaleOfTransaction } from "./sale-store.ts";
