import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CatalogService, PromoService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { BillService } from "../../purchases/billpay/index.ts";
import type { EsimService } from "../../purchases/esims/index.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { CounterService } from "./counter-service.ts";
import { PromoCounterService } from "./promo-counter-service.ts";
import { SaleCheckService } from "./sale-check-service.ts";
import { WalletReach } from "./wallet-reach.ts";

type CounterModuleDeps = Base & {
  bills: BillService;
  catalog: CatalogService;
  esims: EsimService;
  phones: PhoneService;
  promos: PromoService;
  purchases: PurchaseService;
  shop: ShopService;
};

export function createCounterModule(deps: CounterModuleDeps) {
  const promoCounter = new PromoCounterService(deps);
  const services = {
    counter: new CounterService(deps),
    promoCounter,
    saleChecks: new SaleCheckService({ ...deps, promoCounter }),
    walletReach: new WalletReach(deps),
  };
  return {
    services,
    pos: (app) => registerCounterRoutes(app, services),
  } satisfies Module;
}

interface CounterRoutesDeps {
  counter: CounterService;
  promoCounter: PromoCounterService;
  saleChecks: SaleCheckService;
  walletReach: WalletReach;
}

async function registerCounterRoutes(app: App, deps: CounterRoutesDeps): Promise<void> {
  const { counterOperations } = await import("../../../contract/pos/counter.ts");
  const { saleOperations } = await import("../../../contract/pos/sales.ts");
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
