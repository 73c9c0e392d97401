import type { CatalogUpdateService } from "../catalog/index.ts";
import type { Base, Module } from "../module.ts";
import { readShopCountry } from "../shop/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { getWalletUnit } from "../wallet/index.ts";
import { CatalogExportService } from "./catalog-export-service.ts";
import type { CheckThread } from "./catalog-file-check.ts";
import { CatalogImportService } from "./catalog-import-service.ts";

type Deps = Base & {
  background: CheckThread;
  catalogUpdates: CatalogUpdateService;
  upstream: UpstreamService;
};

export function createCatalogImportsModule(deps: Deps) {
  const { db, upstream } = deps;
  const catalogExports = new CatalogExportService(deps);
  const catalogImports = new CatalogImportService({
    ...deps,
    readWalletUnit: getWalletUnit,
    readShopCountry: (accountId) => readShopCountry(db, accountId),
    isFromProvider: async (scope) => (await upstream.getStatus(scope)).connected,
  });
  return {
    services: {},
    pos: async (app) =>
      (await import("./catalog-import-routes.ts")).registerCatalogImportRoutes(app, {
        catalogImports,
        catalogExports,
      }),
    stop: () => catalogImports.stop(),
  } satisfies Module;
}
