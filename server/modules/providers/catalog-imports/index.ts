import { Readable } from "node:stream";
import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import { pause, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import { type CatalogUpdateService, catalogFileParts } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import { readShopCountry } from "../../shop/shop/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import type { CheckThread } from "./catalog-file-check.ts";
import { CatalogImportService } from "./catalog-import-service.ts";
import { CATALOG_FILE_JOB, CatalogImportWorker } from "./catalog-import-worker.ts";

export { pruneUploads } from "./catalog-file-store.ts";

type CatalogImportsModuleDeps = Base & {
  background: CheckThread;
  catalogUpdates: CatalogUpdateService;
  upstream: UpstreamService;
};

export function createCatalogImportsModule(deps: CatalogImportsModuleDeps) {
  const { db, upstream } = deps;
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
    pos: (app) => registerCatalogImportRoutes(app, catalogImports, deps),
    stop: () => worker.stop(),
  } satisfies Module;
}

async function registerCatalogImportRoutes(
  app: App,
  catalogImports: CatalogImportService,
  deps: CatalogImportsModuleDeps,
): Promise<void> {
  const { catalogImportOperations: operations } = await import(
    "../../../contract/pos/catalog-imports.ts"
  );

  handle(app, operations.export, async ({ actor: { accountId, staffId }, params, reply }) => {
    const { name, text } = await exportCatalog(deps, { accountId, staffId, ...params });
    reply
      .type("application/json; charset=utf-8")
      .header("content-disposition", `attachment; filename="${name}"`);
    return reply.send(Readable.from(text));
  });

  handle(app, operations.get, ({ actor: { accountId }, params }) =>
    catalogImports.get({ accountId, ...params }),
  );

  handle(app, operations.begin, ({ actor: { accountId, staffId }, params, body }) =>
    catalogImports.start({ accountId, staffId, ...params }, body),
  );

  handle(app, operations.addPart, ({ actor: { accountId, staffId }, params, body }) =>
    catalogImports.addPart({ accountId, staffId, ...params }, body),
  );

  handle(app, operations.accept, ({ actor: { accountId, staffId }, params, body }) =>
    catalogImports.accept({ accountId, staffId, ...params }, body.importId),
  );

  handle(app, operations.cancel, ({ actor: { accountId, staffId }, params }) =>
    catalogImports.cancel({ accountId, staffId, ...params }),
  );
}

/**
 * Exports the catalog as a file that an import accepts. Returns the text in parts. The export is
 * recorded before the first part is sent.
 */
async function exportCatalog(
  { catalogUpdates, transactor, clock }: CatalogImportsModuleDeps,
  { accountId, environment, staffId }: ScopedAuthor,
): Promise<{ name: string; text: AsyncGenerator<string> }> {
  const content = await catalogUpdates.read({ accountId, environment });
  const at = clock.now();
  const detail = { environment };
  await transactor.transact(accountId, (tx) =>
    recordAudit(tx, {
      accountId,
      staffId,
      action: "catalog.export",
      subject: environment,
      detail,
      at,
    }),
  );
  const day = toTimestamp(at).slice(0, "2026-01-15".length);
  return { name: `catalog-${environment}-${day}.json`, text: writeSteps(content) };
}

async function* writeSteps(content: CatalogContent): AsyncGenerator<string> {
  for (const part of catalogFileParts(content)) {
    yield part;
    await pause();
  }
}
