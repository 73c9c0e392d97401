import type { Base, Module } from "../module.ts";
import { RechargeService } from "./recharge-service.ts";

export function createRechargesModule(deps: Base) {
  const recharges = new RechargeService(deps);
  return {
    services: { recharges },
    pos: async (app) =>
      (await import("./recharge-routes.ts")).registerRechargeRoutes(app, recharges),
  } satisfies Module;
}
