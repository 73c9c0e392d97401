import type { Base, Module } from "../../module.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import type { CatalogService } from "../catalog/index.ts";
import { PRICES_CHANGE_JOB, PriceListService } from "./price-list-service.ts";
import type { PriceReader } from "./price-reader.ts";

type PricesModuleDeps = Base & {
  catalog: CatalogService;
  shop: ShopService;
  prices: PriceReader;
  rates: ReferenceRates;
};

export function createPricesModule(deps: PricesModuleDeps) {
  const priceLists = new PriceListService(deps);
  return {
    services: { priceLists },
    jobs: [{ kind: PRICES_CHANGE_JOB, run: (subject) => priceLists.announceChange(subject) }],
    pos: async (app) =>
      (await import("./price-routes.ts")).registerPriceRoutes(app, { ...deps, priceLists }),
  } satisfies Module;
}
