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
  handle(app, saleOperations.sell, ({ actor, body }) => sales.sell(actor, body));

  handle(app, saleOperations.checkDiscount, ({ actor, body }) => sales.checkDiscount(actor, body));

  handle(app, saleOperations.list, ({ actor, query }) => {
    const { since, search, limit, offset } = query;
    const start = since === undefined ? 0 : Date.parse(since);
    return sales.list(actor, { since: start, search, limit, offset });
  });

  handle(app, saleOperations.find, async ({ actor, query }) => ({
    list: await finder.find(actor, query.typed),
  }));

  handle(app, saleOperations.get, ({ actor, params }) => sales.get(actor, params.saleId));

  handle(app, saleOperations.print, ({ actor, params, query }) =>
    receipts.print(actor, params.saleId, query),
  );

  handle(app, saleOperations.reveal, ({ actor, params, body }) =>
    reveals.reveal(actor, params.saleId, body),
  );
}
