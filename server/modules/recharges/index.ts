export { createRechargesModule } from "./module.ts";
export { RechargeService } from "./recharge-service.ts";
