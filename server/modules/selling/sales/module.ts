import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { PriceReader } from "../../catalog/prices/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import type { DisplayBoard } from "../displays/index.ts";
import { ReceiptService } from "./receipt-service.ts";
import { RevealService } from "./reveal-service.ts";
import { SaleFinder } from "./sale-finder.ts";
import type { RequireShift } from "./sale-rights.ts";
import { SaleService } from "./sale-service.ts";

type SalesModuleDeps = Base & {
  catalog: CatalogService;
  displays: DisplayBoard;
  phones: PhoneService;
  prices: PriceReader;
  purchases: PurchaseService;
  shop: ShopService;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
};

export function createSalesModule(deps: SalesModuleDeps) {
  const sales = new SaleService(deps);
  const services = {
    sales,
    receipts: new ReceiptService({ ...deps, sales }),
    reveals: new RevealService({ ...deps, sales }),
    saleFinder: new SaleFinder(deps),
  };
  return {
    services,
    pos: async (app) =>
      (await import("./sale-routes.ts")).registerSaleRoutes(app, {
        ...services,
        clock: deps.clock,
        displays: deps.displays,
      }),
  } satisfies Module;
}
