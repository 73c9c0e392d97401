import type { Base, Module } from "../../module.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { RechargeService } from "./recharge-service.ts";

export { listRechargeRates, type RechargeRate, RechargeService } from "./recharge-service.ts";

export function createRechargesModule(deps: Base & { sessions: SessionService }) {
  const recharges = new RechargeService(deps);
  return {
    services: { recharges },
    pos: async (app) =>
      (await import("./recharge-routes.ts")).registerRechargeRoutes(app, recharges, deps.sessions),
  } satisfies Module;
}
