import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, pause, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { type CatalogUpdateService, catalogFileParts } from "../../catalog/catalog/index.ts";

interface CatalogExportServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalogUpdates: CatalogUpdateService;
}

/** Exports the catalog as a file that an import accepts. */
export class CatalogExportService {
  readonly #deps: CatalogExportServiceDeps;

  constructor(deps: CatalogExportServiceDeps) {
    this.#deps = deps;
  }

  /** Returns the text in parts. The export is recorded before the first part is sent. */
  async open(author: ScopedAuthor): Promise<{ name: string; text: AsyncGenerator<string> }> {
    const { accountId, environment, staffId } = author;
    const { catalogUpdates, transactor, clock } = this.#deps;
    const content = await catalogUpdates.read({ accountId, environment });
    const at = clock.now();
    await transactor.transact(accountId, (tx: Tx) =>
      recordAudit(tx, {
        accountId,
        staffId,
        action: "catalog.export",
        subject: environment,
        detail: { environment },
        at,
      }),
    );
    const day = toTimestamp(at).slice(0, "2026-01-15".length);
    return { name: `catalog-${environment}-${day}.json`, text: writeSteps(content) };
  }
}

async function* writeSteps(content: CatalogContent): AsyncGenerator<string> {
  for (const part of catalogFileParts(content)) {
    yield part;
    await pause();
  }
}
