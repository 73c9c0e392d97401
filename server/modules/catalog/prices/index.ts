import type { Base, Module } from "../../module.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import type { CatalogService } from "../catalog/index.ts";
import { PRICES_CHANGE_JOB, PriceListService } from "./price-list-service.ts";
import type { PriceReader } from "./price-reader.ts";

export { createFloorGuard, findBelowCost, type RequireFloor } from "./floor-guard.ts";
export { calculateLineCost, type LineCost, sumLineCosts, taxPart } from "./line-cost.ts";
export { PriceEngine } from "./price-engine.ts";
export type { PriceAuthor, PriceListService } from "./price-list-service.ts";
export {
  addStartingLists,
  countLossAgain,
  EMPTY_LIST,
  findNewest,
  readListInForce,
  releaseLoss,
} from "./price-list-store.ts";
export { compareWithSuggested } from "./price-preview.ts";
export { PriceReader, type PricesInForce, type RateDeps, readDrift } from "./price-reader.ts";

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
