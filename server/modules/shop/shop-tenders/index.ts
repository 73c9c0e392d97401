import type { Base, Module } from "../../module.ts";
import { ShopTenderService } from "./shop-tender-service.ts";

export { readOpeningTenders, toTenders } from "./shop-tender-service.ts";

export function createShopTendersModule(deps: Base) {
  const shopTenders = new ShopTenderService(deps);
  return {
    services: { shopTenders },
    pos: async (app) =>
      (await import("./shop-tender-routes.ts")).registerShopTenderRoutes(app, shopTenders),
  } satisfies Module;
}
