import type { Base, Module } from "../module.ts";
import type { ShopService } from "../shop/index.ts";
import { registerHeldSaleRoutes } from "./held-sale-routes.ts";
import { HeldSaleService } from "./held-sale-service.ts";

type Deps = Base & { shop: ShopService };

export function createHeldSalesModule(deps: Deps) {
  const heldSales = new HeldSaleService(deps);
  return {
    services: { heldSales },
    pos: (app) => registerHeldSaleRoutes(app, heldSales),
  } satisfies Module;
}
