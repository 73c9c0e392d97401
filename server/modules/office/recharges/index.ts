export { createRechargesModule } from "./module.ts";
export { listRechargeRates, type RechargeRate } from "./recharge-payments-store.ts";
export { RechargeService } from "./recharge-service.ts";
