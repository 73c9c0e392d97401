import {
  PosOfferQuery,
  PosOffers,
  PosPhone,
  PosPhoneQuery,
  PosQuote,
  PosQuoteInput,
  PosRecents,
  PosWallet,
} from "../../contract/pos/counter.ts";
import {
  PrintQuery,
  Receipt,
  Sale,
  SaleInput,
  SaleParams,
  Sales,
  SalesQuery,
} from "../../contract/pos/sales.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { WalletService } from "../wallet/index.ts";
import type { CounterService } from "./counter-service.ts";
import type { SaleService } from "./sale-service.ts";

interface Parts {
  counter: CounterService;
  sales: SaleService;
  wallet: WalletService;
}

/** What a clerk works with, behind the sign-in. */
export function registerSaleRoutes(app: App, { counter, sales, wallet }: Parts): void {
  const onRequest = requireStaff;

  app.get("/wallet", { onRequest, schema: { response: answers(PosWallet) } }, async (request) => {
    const { accountId, environment } = cashierOf(request);
    return { environment, ...(await wallet.getBalances({ accountId, environment })) };
  });

  app.get(
    "/phone",
    { onRequest, schema: { querystring: PosPhoneQuery, response: answers(PosPhone) } },
    (request) => counter.describePhone(cashierOf(request), request.query.number),
  );

  app.get(
    "/offers",
    { onRequest, schema: { querystring: PosOfferQuery, response: answers(PosOffers) } },
    async (request) => ({ list: await counter.listOffers(cashierOf(request), request.query) }),
  );

  app.post(
    "/quotes",
    { onRequest, schema: { body: PosQuoteInput, response: answers(PosQuote) } },
    (request) => counter.quote(cashierOf(request), request.body),
  );

  app.get(
    "/recents",
    { onRequest, schema: { response: answers(PosRecents) } },
    async (request) => ({
      list: await counter.listRecents(cashierOf(request)),
    }),
  );

  app.post(
    "/sales",
    { onRequest, schema: { body: SaleInput, response: answers(Sale) } },
    (request) => sales.sell(cashierOf(request), request.body),
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
    (request) => sales.print(cashierOf(request), request.params.saleId, request.query),
  );
}
