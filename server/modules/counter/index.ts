export { BillCounterService } from "./bill-counter-service.ts";
export { registerCounterRoutes } from "./counter-routes.ts";
export { CounterService } from "./counter-service.ts";
export { EsimCounterService } from "./esim-counter-service.ts";
export { PromoCounterService } from "./promo-counter-service.ts";
export { SaleCheckService } from "./sale-check-service.ts";
export { WalletReach } from "./wallet-reach.ts";
