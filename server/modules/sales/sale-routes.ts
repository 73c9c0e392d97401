import { saleOperations } from "../../contract/pos/sale-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { ReceiptService } from "./receipt-service.ts";
import type { RevealService } from "./reveal-service.ts";
import type { SaleFinder } from "./sale-finder.ts";
import type { SaleService } from "./sale-service.ts";

interface Deps {
  sales: SaleService;
  receipts: ReceiptService;
  reveals: RevealService;
  saleFinder: SaleFinder;
}

/** Sales and their receipts. */
export function registerSaleRoutes(
  app: App,
  { sales, receipts, reveals, saleFinder: finder }: Deps,
): void {
  handle(app, saleOperations.sell, ({ cashier, body }) => sales.sell(cashier, body));

  handle(app, saleOperations.checkDiscount, ({ cashier, body }) =>
    sales.checkDiscount(cashier, body),
  );

  handle(app, saleOperations.list, ({ cashier, query }) => {
    const { since, search, limit, offset } = query;
    const start = since === undefined ? 0 : Date.parse(since);
    return sales.list(cashier, { since: start, search, limit, offset });
  });

  handle(app, saleOperations.find, async ({ cashier, query }) => ({
    list: await finder.find(cashier, query.typed),
  }));

  handle(app, saleOperations.get, ({ cashier, params }) => sales.get(cashier, params.saleId));

  handle(app, saleOperations.print, ({ cashier, params, query }) =>
    receipts.print(cashier, params.saleId, query),
  );

  handle(app, saleOperations.reveal, ({ cashier, params, body }) =>
    reveals.reveal(cashier, params.saleId, body),
  );
}
