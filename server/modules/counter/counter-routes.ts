import { counterOperations } from "../../contract/pos/counter-operations.ts";
import { saleOperations } from "../../contract/pos/sale-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { BillCounterService } from "./bill-counter-service.ts";
import type { CounterService } from "./counter-service.ts";
import type { EsimCounterService } from "./esim-counter-service.ts";
import type { PromoCounterService } from "./promo-counter-service.ts";
import type { SaleCheckService } from "./sale-check-service.ts";
import type { WalletReach } from "./wallet-reach.ts";

interface Deps {
  counter: CounterService;
  esimCounter: EsimCounterService;
  promoCounter: PromoCounterService;
  billCounter: BillCounterService;
  saleChecks: SaleCheckService;
  walletReach: WalletReach;
}

/** What a clerk looks up before a sale. */
export function registerCounterRoutes(app: App, deps: Deps): void {
  const { counter, esimCounter, promoCounter, billCounter, saleChecks, walletReach } = deps;

  handle(app, counterOperations.getWallet, ({ cashier }) => walletReach.view(cashier));

  handle(app, counterOperations.checkWallet, ({ cashier, body }) =>
    walletReach.check(cashier, body),
  );

  handle(app, counterOperations.describePhone, ({ cashier, query }) =>
    counter.describePhone(cashier, query.number),
  );

  handle(app, counterOperations.listRecents, async ({ cashier }) => ({
    list: await counter.listRecents(cashier),
  }));

  handle(app, counterOperations.listBrands, async ({ cashier, query }) => ({
    list: await counter.listBrands(cashier, query),
  }));

  handle(app, counterOperations.listOffers, async ({ cashier, query }) => {
    const list = [...(await counter.listOffers(cashier, query))];
    return { list, promos: await promoCounter.listOn(cashier, list, query.language) };
  });

  handle(app, counterOperations.getOffer, ({ cashier, params }) =>
    counter.getOffer(cashier, params.offerId),
  );

  handle(app, counterOperations.listPromos, async ({ cashier, query }) => ({
    list: await promoCounter.list(cashier, query),
  }));

  handle(app, counterOperations.retrieveBill, ({ cashier, body }) =>
    billCounter.retrieve(cashier, body),
  );

  handle(app, counterOperations.quote, ({ cashier, body }) => counter.quote(cashier, body));

  handle(app, saleOperations.check, ({ cashier, body }) => saleChecks.check(cashier, body));

  handle(app, counterOperations.listEsimDestinations, ({ cashier }) =>
    esimCounter.listDestinations(cashier),
  );

  handle(app, counterOperations.findEsim, ({ cashier, params }) =>
    esimCounter.find(cashier, params.iccid),
  );
}
