import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import type { RequireShift, SaleService } from "../sales/index.ts";
import { BulkChecker, CHECK_JOB } from "./bulk-checker.ts";
import { BulkResultService } from "./bulk-results.ts";
import { BulkRunService } from "./bulk-run-service.ts";
import { BulkSeller, SELL_JOB } from "./bulk-seller.ts";

type BulkCheckoutModuleDeps = Base & {
  catalog: CatalogService;
  phones: PhoneService;
  purchases: PurchaseService;
  sales: SaleService;
  shop: ShopService;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
};

export function createBulkCheckoutModule(deps: BulkCheckoutModuleDeps) {
  const bulkRuns = new BulkRunService(deps);
  const bulkResults = new BulkResultService(deps);
  const checker = new BulkChecker(deps);
  const seller = new BulkSeller(deps);
  return {
    services: {},
    jobs: [
      { kind: CHECK_JOB, run: (subject) => checker.advance(subject), concurrency: 1 },
      { kind: SELL_JOB, run: (subject) => seller.advance(subject), concurrency: 1 },
    ],
    pos: async (app) =>
      (await import("./bulk-routes.ts")).registerBulkRoutes(app, {
        bulkRuns,
        bulkResults,
      }),
  } satisfies Module;
}
