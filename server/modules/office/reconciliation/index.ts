import type { Base, Module } from "../../module.ts";
import type { UpstreamService } from "../../providers/upstream/index.ts";
import type { RechargeService } from "../recharges/index.ts";
import { ReconciliationService } from "./reconciliation-service.ts";

type ReconciliationModuleDeps = Base & { recharges: RechargeService; upstream: UpstreamService };

export function createReconciliationModule(deps: ReconciliationModuleDeps) {
  const reconciliation = new ReconciliationService(deps);
  return {
    services: { reconciliation },
    pos: async (app) =>
      (await import("./reconciliation-routes.ts")).registerReconciliationRoutes(
        app,
        reconciliation,
      ),
  } satisfies Module;
}
