export { registerRechargeRoutes } from "./recharge-routes.ts";
export { RechargeService } from "./recharge-service.ts";
