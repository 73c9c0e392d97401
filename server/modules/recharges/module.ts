import type { Base, Module } from "../module.ts";
import { registerRechargeRoutes } from "./recharge-routes.ts";
import { RechargeService } from "./recharge-service.ts";

export function createRechargesModule(deps: Base) {
  const recharges = new RechargeService(deps);
  return {
    services: { recharges },
    pos: (app) => registerRechargeRoutes(app, recharges),
  } satisfies Module;
}
