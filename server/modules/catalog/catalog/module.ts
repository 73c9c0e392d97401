import type { Base, Module } from "../../module.ts";
import { registerBrandPictures, registerBrandRoutes } from "./brand-routes.ts";
import { BrandService } from "./brand-service.ts";
import { CatalogBrowser } from "./catalog-browser.ts";
import { CatalogChoiceService } from "./catalog-choice-service.ts";
import { CatalogMessages, MESSAGE_JOB, type Messages } from "./catalog-messages.ts";
import { CatalogService } from "./catalog-service.ts";
import { CatalogUpdateService } from "./catalog-update.ts";
import { CatalogWriter } from "./catalog-writer.ts";
import { registerOfferRoutes } from "./offer-routes.ts";
import { registerPromoRoutes } from "./promo-routes.ts";
import { PromoService } from "./promo-service.ts";

type CatalogModuleDeps = Base &
  Messages &
  Pick<ConstructorParameters<typeof CatalogService>[0], "readPricing"> &
  Pick<ConstructorParameters<typeof CatalogUpdateService>[0], "readWalletUnit" | "recordAudit">;

export function createCatalogModule(deps: CatalogModuleDeps) {
  const catalog = new CatalogService(deps);
  const catalogWriter = new CatalogWriter(deps);
  const catalogBrowser = new CatalogBrowser({ ...deps, catalog });
  const catalogChoices = new CatalogChoiceService({ ...deps, catalog, catalogBrowser });
  const brands = new BrandService(catalog);
  const promos = new PromoService(catalog, deps.clock);
  const catalogMessages = new CatalogMessages({ ...deps, promos });
  const catalogUpdates = new CatalogUpdateService({ ...deps, catalogWriter, catalogMessages });
  return {
    services: { catalog, catalogChoices, catalogUpdates, brands, promos },
    jobs: [{ kind: MESSAGE_JOB, run: (subject) => catalogMessages.send(subject) }],
    pos: async (app) =>
      (await import("./office-catalog-routes.ts")).registerOfficeCatalogRoutes(app, {
        catalogBrowser,
        catalogChoices,
      }),
    v1Public: (app) => registerBrandPictures(app, brands, deps.accountId),
    v1(app) {
      registerBrandRoutes(app, brands);
      registerOfferRoutes(app, catalog);
      registerPromoRoutes(app, promos);
    },
    recover: () => catalogWriter.recover(),
    start: () => catalogWriter.start(),
    stop: () => catalogWriter.stop(),
  } satisfies Module;
}
