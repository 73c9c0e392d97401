import { Problem } from "../../../contract/problem.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { DAY } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { PriceReader } from "../../catalog/prices/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { type DisplayBoard, getDisplayOwner } from "../displays/index.ts";
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
    pos: (app) => registerSaleRoutes(app, { ...deps, ...services }),
  } satisfies Module;
}

type SaleRoutesDeps = SalesModuleDeps & {
  sales: SaleService;
  receipts: ReceiptService;
  saleFinder: SaleFinder;
};

/** Maximum period of a list, because a list adds up every sale of its period. */
const LISTED_DAYS = 31;

async function registerSaleRoutes(
  app: App,
  { clock, sales, receipts, saleFinder: finder, displays }: SaleRoutesDeps,
): Promise<void> {
  const { saleOperations } = await import("../../../contract/pos/sales.ts");
  handle(app, saleOperations.sell, async ({ actor, body, request }) => {
    const isSaid = body.lines.some(({ numberCheck }) => numberCheck === "CUSTOMER");
    return sales.sell(actor, body, {
      from: placeOf(request),
      // Read before the transaction, which must wait only for the database.
      ...(isSaid && { isConfirmed: await displays.findConfirmed(getDisplayOwner(actor, request)) }),
    });
  });

  handle(app, saleOperations.checkDiscount, ({ actor, body }) => sales.checkDiscount(actor, body));

  handle(app, saleOperations.list, ({ actor, query }) => {
    const { since } = query;
    const earliest = clock.now() - LISTED_DAYS * DAY;
    const start = since === undefined ? earliest : Date.parse(since);
    if (start < earliest) {
      const fault = `is more than ${LISTED_DAYS} days ago`;
      throw new Problem("INVALID_REQUEST", `since ${fault}.`, { since: fault });
    }
    return sales.list(actor, { ...query, since: start });
  });

  handle(app, saleOperations.find, async ({ actor, query }) => ({
    list: await finder.find(actor, query.typed),
  }));

  handle(app, saleOperations.get, ({ actor, params }) => sales.get(actor, params.saleId));

  handle(app, saleOperations.print, ({ actor, params, query }) =>
    receipts.print(actor, params.saleId, query),
  );

  handle(app, saleOperations.reveal, ({ actor, params, body }) =>
    receipts.reveal(actor, params.saleId, body),
  );
}
