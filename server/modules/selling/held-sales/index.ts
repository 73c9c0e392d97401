import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { HeldSaleService } from "./held-sale-service.ts";

type HeldSalesModuleDeps = Base & { shop: ShopService };

export function createHeldSalesModule(deps: HeldSalesModuleDeps) {
  const heldSales = new HeldSaleService(deps);
  return {
    services: { heldSales },
    pos: async (app) =>
      (await import("./held-sale-routes.ts")).registerHeldSaleRoutes(app, heldSales),
  } satisfies Module;
}
