import type { Base, Module } from "../module.ts";
import type { RequireShift, SaleService } from "../sales/index.ts";
import { registerGiveBackRoutes } from "./give-back-routes.ts";
import { GiveBackService } from "./give-back-service.ts";

type Deps = Base & { sales: SaleService; requireShift: RequireShift };

export function createCustomerRefundsModule(deps: Deps) {
  const giveBacks = new GiveBackService(deps);
  return {
    services: { giveBacks },
    pos: (app) => registerGiveBackRoutes(app, giveBacks),
  } satisfies Module;
}
