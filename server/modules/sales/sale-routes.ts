import { DiscountAllowed, DiscountInput } from "../../contract/pos/sale-lines.ts";
import {
  FoundSales,
  FoundSalesQuery,
  PrintQuery,
  Receipt,
  RevealInput,
  Sale,
  SaleInput,
  SaleParams,
  Sales,
  SalesQuery,
} from "../../contract/pos/sales.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { ReceiptService } from "./receipt-service.ts";
import type { RevealService } from "./reveal-service.ts";
import type { SaleFinder } from "./sale-finder.ts";
import type { SaleService } from "./sale-service.ts";

interface Parts {
  sales: SaleService;
  receipts: ReceiptService;
  reveals: RevealService;
  saleFinder: SaleFinder;
}

/** Sales and their receipts. */
export function registerSaleRoutes(
  app: App,
  { sales, receipts, reveals, saleFinder: finder }: Parts,
): void {
  const onRequest = requireStaff;

  app.post(
    "/sales",
    { onRequest, schema: { body: SaleInput, response: answers(Sale) } },
    (request) => sales.sell(cashierOf(request), request.body),
  );

  app.post(
    "/sales/discounts",
    { onRequest, schema: { body: DiscountInput, response: answers(DiscountAllowed) } },
    (request) => sales.checkDiscount(cashierOf(request), request.body),
  );

  app.get(
    "/sales",
    { onRequest, schema: { querystring: SalesQuery, response: answers(Sales) } },
    (request) => {
      const { since, search, limit, offset } = request.query;
      const start = since === undefined ? 0 : Date.parse(since);
      return sales.list(cashierOf(request), { since: start, search, limit, offset });
    },
  );

  app.get(
    "/found-sales",
    { onRequest, schema: { querystring: FoundSalesQuery, response: answers(FoundSales) } },
    async (request) => ({ list: await finder.find(cashierOf(request), request.query.typed) }),
  );

  app.get(
    "/sales/:saleId",
    { onRequest, schema: { params: SaleParams, response: answers(Sale) } },
    (request) => sales.get(cashierOf(request), request.params.saleId),
  );

  app.post(
    "/sales/:saleId/prints",
    {
      onRequest,
      schema: { params: SaleParams, querystring: PrintQuery, response: answers(Receipt) },
    },
    (request) => receipts.print(cashierOf(request), request.params.saleId, request.query),
  );

  app.post(
    "/sales/:saleId/reveal",
    { onRequest, schema: { params: SaleParams, body: RevealInput, response: answers(Sale) } },
    (request) => reveals.reveal(cashierOf(request), request.params.saleId, request.body),
  );
}
