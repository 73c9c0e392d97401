import { counterOperations } from "../../../contract/pos/counter.ts";
import { saleOperations } from "../../../contract/pos/sales.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CounterService } from "./counter-service.ts";
import type { PromoCounterService } from "./promo-counter-service.ts";
import type { SaleCheckService } from "./sale-check-service.ts";
import type { WalletReach } from "./wallet-reach.ts";

interface CounterRoutesDeps {
  counter: CounterService;
  promoCounter: PromoCounterService;
  saleChecks: SaleCheckService;
  walletReach: WalletReach;
}

export function registerCounterRoutes(app: App, deps: CounterRoutesDeps): void {
  const { counter, promoCounter, saleChecks, walletReach } = deps;

  handle(app, counterOperations.getWallet, ({ actor }) => walletReach.view(actor));

  handle(app, counterOperations.checkWallet, ({ actor, body }) => walletReach.check(actor, body));

  handle(app, counterOperations.describePhone, ({ actor, query }) =>
    counter.describePhone(actor, query.number),
  );

  handle(app, counterOperations.listRecents, async ({ actor }) => ({
    list: await counter.listRecents(actor),
  }));

  handle(app, counterOperations.listBrands, async ({ actor, query }) => ({
    list: await counter.listBrands(actor, query),
  }));

  handle(app, counterOperations.listOffers, async ({ actor, query }) => {
    const list = [...(await counter.listOffers(actor, query))];
    return { list, promos: await promoCounter.listOn(actor, list, query.language) };
  });

  handle(app, counterOperations.getOffer, ({ actor, params }) =>
    counter.getOffer(actor, params.offerId),
  );

  handle(app, counterOperations.listPromos, async ({ actor, query }) => ({
    list: await promoCounter.list(actor, query),
  }));

  handle(app, counterOperations.retrieveBill, ({ actor, body }) =>
    counter.retrieveBill(actor, body),
  );

  handle(app, counterOperations.quote, ({ actor, body }) => counter.quote(actor, body));

  handle(app, saleOperations.check, ({ actor, body }) => saleChecks.check(actor, body));

  handle(app, counterOperations.listEsimDestinations, ({ actor }) =>
    counter.listEsimDestinations(actor),
  );

  handle(app, counterOperations.findEsim, ({ actor, params }) =>
    counter.findEsim(actor, params.iccid),
  );
}
