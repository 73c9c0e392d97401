import { Readable } from "node:stream";
import { catalogImportOperations } from "../../../contract/pos/catalog-imports.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CatalogExportService } from "./catalog-export-service.ts";
import type { CatalogImportService } from "./catalog-import-service.ts";

interface CatalogImportRoutesDeps {
  catalogImports: CatalogImportService;
  catalogExports: CatalogExportService;
}

export function registerCatalogImportRoutes(
  app: App,
  { catalogImports, catalogExports }: CatalogImportRoutesDeps,
): void {
  const operations = catalogImportOperations;

  handle(app, operations.export, async ({ actor: { accountId, staffId }, params, reply }) => {
    const { name, text } = await catalogExports.open({ accountId, staffId, ...params });
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
