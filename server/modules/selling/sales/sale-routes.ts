import { saleOperations } from "../../../contract/pos/sales.ts";
import { Problem } from "../../../contract/problem.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, DAY } from "../../../lib/clock.ts";
import { type DisplayBoard, getDisplayOwner } from "../displays/index.ts";
import type { ReceiptService } from "./receipt-service.ts";
import type { SaleFinder } from "./sale-finder.ts";
import type { SaleService } from "./sale-service.ts";

interface SaleRoutesDeps {
  clock: Clock;
  sales: SaleService;
  receipts: ReceiptService;
  saleFinder: SaleFinder;
  displays: Pick<DisplayBoard, "findConfirmed">;
}

/** Maximum period of a list, because a list adds up every sale of its period. */
const LISTED_DAYS = 31;

export function registerSaleRoutes(
  app: App,
  { clock, sales, receipts, saleFinder: finder, displays }: SaleRoutesDeps,
): void {
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
