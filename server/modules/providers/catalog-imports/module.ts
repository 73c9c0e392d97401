import { laneOfSubject } from "../../../jobs/job-subject.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { CatalogUpdateService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import { readShopCountry } from "../../shop/shop/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { CatalogExportService } from "./catalog-export-service.ts";
import type { CheckThread } from "./catalog-file-check.ts";
import { CatalogImportService } from "./catalog-import-service.ts";
import { CATALOG_FILE_JOB, CatalogImportWorker } from "./catalog-import-worker.ts";

type CatalogImportsModuleDeps = Base & {
  background: CheckThread;
  catalogUpdates: CatalogUpdateService;
  upstream: UpstreamService;
};

export function createCatalogImportsModule(deps: CatalogImportsModuleDeps) {
  const { db, upstream } = deps;
  const catalogExports = new CatalogExportService(deps);
  const worker = new CatalogImportWorker({
    ...deps,
    readWalletUnit: getWalletUnit,
    readShopCountry: (accountId) => readShopCountry(db, accountId),
  });
  const catalogImports = new CatalogImportService({
    ...deps,
    worker,
    isFromProvider: async (scope) => (await upstream.getStatus(scope)).connected,
  });
  return {
    services: {},
    jobs: [
      {
        kind: CATALOG_FILE_JOB,
        run: (subject) => worker.work(subject),
        concurrency: 1,
        laneOf: laneOfSubject,
      },
    ],
    pos: async (app) =>
      (await import("./catalog-import-routes.ts")).registerCatalogImportRoutes(app, {
        catalogImports,
        catalogExports,
      }),
    stop: () => worker.stop(),
  } satisfies Module;
}
