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
    pos: async (app) => (await import("./counter-routes.ts")).registerCounterRoutes(app, services),
  } satisfies Module;
}
