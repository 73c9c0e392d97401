import type { Base, Module } from "../module.ts";
import { registerShopTenderRoutes } from "./shop-tender-routes.ts";
import { ShopTenderService } from "./shop-tender-service.ts";

export function createShopTendersModule(deps: Base) {
  const shopTenders = new ShopTenderService(deps);
  return {
    services: { shopTenders },
    pos: (app) => registerShopTenderRoutes(app, shopTenders),
  } satisfies Module;
}
