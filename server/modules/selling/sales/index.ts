import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { PriceReader } from "../../catalog/prices/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import type { DisplayBoard } from "../displays/index.ts";
import { ReceiptService } from "./receipt-service.ts";
import { SaleFinder } from "./sale-finder.ts";
import type { RequireShift } from "./sale-rights.ts";
import { SaleService } from "./sale-service.ts";

export { asksNumber } from "./number-checks.ts";
export { getRecipient, type PreparedPurchase, prepareLine } from "./prepared-lines.ts";
export {
  beyondWhatCame,
  customerRefundsWithTenders,
  findGivenBack,
  listGoneBack,
  namedTender,
  readRoundingBack,
  splitAsItCame,
  splitByKind,
} from "./refunded-money-store.ts";
export {
  describeSale,
  findDrawerShift,
  getTitle,
  joined,
  type RequireShift,
} from "./sale-rights.ts";
export { SaleService } from "./sale-service.ts";
export {
  findDrawerSale,
  findSaleIds,
  findSaleNumbers,
  findSalesByTransaction,
  linesWithClerks,
  linesWithSales,
  linesWithTransactions,
  type SaleOfTransaction,
  type SalesScope,
  statusOrReturned,
} from "./sale-store.ts";
export { getOutcome, startOfToday } from "./sale-view.ts";
export { requireTender } from "./tender-split.ts";
export { aboutInShop, findShort, requireWallet } from "./wallet-short.ts";

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
