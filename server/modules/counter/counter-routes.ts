import { PosBill, PosBillInput } from "../../contract/pos/bills.ts";
import { PosBrandQuery, PosBrands } from "../../contract/pos/brands.ts";
import { PosPhone, PosPhoneQuery, PosRecents } from "../../contract/pos/counter.ts";
import { EsimDestinations, PosEsim, PosEsimParams } from "../../contract/pos/esims.ts";
import { PosOffer, PosOfferParams, PosOfferQuery, PosOffers } from "../../contract/pos/offers.ts";
import { PosPromoQuery, PosPromos } from "../../contract/pos/promos.ts";
import { PosQuote, PosQuoteInput } from "../../contract/pos/quotes.ts";
import { SaleCheck, SaleCheckInput } from "../../contract/pos/sale-checks.ts";
import { PosWallet, WalletCheck, WalletCheckInput } from "../../contract/pos/wallet.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { BillCounterService } from "./bill-counter-service.ts";
import type { CounterService } from "./counter-service.ts";
import type { EsimCounterService } from "./esim-counter-service.ts";
import type { PromoCounterService } from "./promo-counter-service.ts";
import type { SaleCheckService } from "./sale-check-service.ts";
import type { WalletReach } from "./wallet-reach.ts";

interface Parts {
  counter: CounterService;
  esimCounter: EsimCounterService;
  promoCounter: PromoCounterService;
  billCounter: BillCounterService;
  saleChecks: SaleCheckService;
  walletReach: WalletReach;
}

/** What a clerk looks up before a sale. */
export function registerCounterRoutes(app: App, parts: Parts): void {
  const { counter, esimCounter, promoCounter, billCounter, saleChecks, walletReach } = parts;
  const onRequest = requireStaff;

  app.get("/wallet", { onRequest, schema: { response: answers(PosWallet) } }, (request) =>
    walletReach.view(cashierOf(request)),
  );

  app.post(
    "/wallet/check",
    { onRequest, schema: { body: WalletCheckInput, response: answers(WalletCheck) } },
    (request) => walletReach.check(cashierOf(request), request.body),
  );

  app.get(
    "/phone",
    { onRequest, schema: { querystring: PosPhoneQuery, response: answers(PosPhone) } },
    (request) => counter.describePhone(cashierOf(request), request.query.number),
  );

  app.get(
    "/recents",
    { onRequest, schema: { response: answers(PosRecents) } },
    async (request) => ({ list: await counter.listRecents(cashierOf(request)) }),
  );

  app.get(
    "/brands",
    { onRequest, schema: { querystring: PosBrandQuery, response: answers(PosBrands) } },
    async (request) => ({ list: await counter.listBrands(cashierOf(request), request.query) }),
  );

  app.get(
    "/offers",
    { onRequest, schema: { querystring: PosOfferQuery, response: answers(PosOffers) } },
    async (request) => {
      const cashier = cashierOf(request);
      const list = [...(await counter.listOffers(cashier, request.query))];
      return { list, promos: await promoCounter.listOn(cashier, list, request.query.language) };
    },
  );

  app.get(
    "/offers/:offerId",
    { onRequest, schema: { params: PosOfferParams, response: answers(PosOffer) } },
    (request) => counter.getOffer(cashierOf(request), request.params.offerId),
  );

  app.get(
    "/promos",
    { onRequest, schema: { querystring: PosPromoQuery, response: answers(PosPromos) } },
    async (request) => ({ list: await promoCounter.list(cashierOf(request), request.query) }),
  );

  app.post(
    "/bills",
    { onRequest, schema: { body: PosBillInput, response: answers(PosBill) } },
    (request) => billCounter.retrieve(cashierOf(request), request.body),
  );

  app.post(
    "/quotes",
    { onRequest, schema: { body: PosQuoteInput, response: answers(PosQuote) } },
    (request) => counter.quote(cashierOf(request), request.body),
  );

  app.post(
    "/sales/check",
    { onRequest, schema: { body: SaleCheckInput, response: answers(SaleCheck) } },
    (request) => saleChecks.check(cashierOf(request), request.body),
  );

  app.get(
    "/esim-destinations",
    { onRequest, schema: { response: answers(EsimDestinations) } },
    (request) => esimCounter.listDestinations(cashierOf(request)),
  );

  app.get(
    "/esims/:iccid",
    { onRequest, schema: { params: PosEsimParams, response: answers(PosEsim) } },
    (request) => esimCounter.find(cashierOf(request), request.params.iccid),
  );
}
