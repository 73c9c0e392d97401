import { Readable } from "node:stream";
import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type {
  CatalogImport,
  CatalogImportInput,
  CatalogImportPart,
  CatalogImportState,
} from "../../../contract/pos/catalog-imports.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import { type Clock, pause, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import {
  type CatalogUpdateService,
  catalogFileParts,
  findCatalogVersion,
} from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import { readShopCountry } from "../../shop/shop/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import type { CheckThread } from "./catalog-file-check.ts";
import {
  acceptFile,
  addBytes,
  type CatalogFile,
  findFile,
  putFile,
  removeFile,
} from "./catalog-file-store.ts";
import {
  CATALOG_FILE_JOB,
  CatalogImportWorker,
  changedSince,
  enqueueWork,
} from "./catalog-import-worker.ts";

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

interface CatalogImportServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  worker: CatalogImportWorker;
  isFromProvider(scope: Scope): Promise<boolean>;
}

/**
 * Manages catalog files that an owner uploads (rules#catalog-import-at-screen). A file is received
 * in parts, checked on a worker thread, shown as a difference, and written after the owner accepts.
 * Each step is committed before its response, because another process may receive the next request
 * (docs/decisions/0052).
 */
class CatalogImportService {
  readonly #deps: CatalogImportServiceDeps;

  constructor(deps: CatalogImportServiceDeps) {
    this.#deps = deps;
  }

  async get(scope: Scope): Promise<CatalogImportState> {
    const { db, clock } = this.#deps;
    const fromProvider = await this.#deps.isFromProvider(scope);
    const file = await findFile(db, scope, clock.now());
    return { fromProvider, ...(file && { import: viewFile(file) }) };
  }

  /**
   * Starts an upload, and deletes the previous upload.
   * @throws Problem INVALID_REQUEST if the catalog comes from the provider
   */
  async start(author: ScopedAuthor, input: CatalogImportInput): Promise<CatalogImportState> {
    await this.#requireOwn(author);
    const { importId, name, bytes } = input;
    await this.#write(author, async (tx, { before, now }) => {
      // A repeated request, whose first response was lost, changes nothing.
      if (before?.importId === importId) return;
      const { staffId } = author;
      await putFile(tx, author, { importId, name, bytes, staffId, touchedAt: now });
    });
    return this.get(author);
  }

  /**
   * Stores the next part; the last part starts the check. Parts that are already stored are
   * ignored, because a request may be repeated.
   * @throws Problem NOT_FOUND if no file or another file is being uploaded, INVALID_REQUEST for a
   * wrong part
   */
  async addPart(author: ScopedAuthor, part: CatalogImportPart): Promise<CatalogImportState> {
    const { importId, offset } = part;
    const sent = Buffer.from(part.content, "base64");
    await this.#write(author, async (tx, { before, now }) => {
      if (before?.importId !== importId) throw gone();
      const { state, receivedBytes, bytes } = before;
      if (state !== "RECEIVING") return;
      if (offset > receivedBytes || offset + sent.length > bytes) {
        throw new Problem("INVALID_REQUEST", `The next byte is ${receivedBytes} of ${bytes}.`, {
          offset: String(receivedBytes),
        });
      }
      const content = sent.subarray(receivedBytes - offset);
      if (content.length === 0) return;
      const { isWhole } = await addBytes(tx, author, before, { content, at: now });
      if (isWhole) await enqueueWork(tx, author, importId, now);
    });
    return this.get(author);
  }

  /**
   * Starts a job that writes the checked file.
   * @throws Problem NOT_FOUND if no checked file waits for its acceptance, or the catalog has
   * changed since the check
   */
  async accept(author: ScopedAuthor, importId: string): Promise<CatalogImportState> {
    await this.#requireOwn(author);
    const isTaken = await this.#write(author, async (tx, { before, now }) => {
      // A repeated request, whose first response was lost, changes nothing.
      const state = before?.importId === importId ? before.state : undefined;
      if (state === "WRITING" || state === "DONE") return true;
      if (state !== "READY") throw gone();
      if (((await findCatalogVersion(tx, author)) ?? 0) !== before?.checked?.baseVersion) {
        await removeFile(tx, author);
        return false;
      }
      await acceptFile(tx, author, { importId, staffId: author.staffId, at: now });
      await enqueueWork(tx, author, importId, now);
      return true;
    });
    if (!isTaken) throw changedSince();
    return this.get(author);
  }

  /** Deletes the file in any state. A catalog that was already written stays active. */
  async cancel(author: ScopedAuthor): Promise<CatalogImportState> {
    await this.#write(author, (tx) => removeFile(tx, author));
    return this.get(author);
  }

  async #write<Value>(
    author: ScopedAuthor,
    work: (tx: Tx, at: { before: CatalogFile | undefined; now: number }) => Promise<Value>,
  ): Promise<Value> {
    const { transactor, clock, worker } = this.#deps;
    const { value, dropped } = await transactor.transact(author.accountId, async (tx) => {
      const now = clock.now();
      const before = await findFile(tx, author, now);
      const done = await work(tx, { before, now });
      const after = await findFile(tx, author, now);
      const isDropped = before !== undefined && before.importId !== after?.importId;
      return { value: done, dropped: isDropped ? before.importId : undefined };
    });
    if (dropped !== undefined) worker.drop(dropped);
    return value;
  }

  async #requireOwn(scope: Scope): Promise<void> {
    if (await this.#deps.isFromProvider(scope)) {
      throw new Problem("INVALID_REQUEST", "This catalog comes from the connected provider.");
    }
  }
}

function viewFile({
  importId,
  name,
  state,
  receivedBytes,
  bytes,
  outcome,
  checked,
}: CatalogFile): CatalogImport {
  return {
    importId,
    name,
    state,
    receivedBytes,
    bytes,
    ...outcome,
    ...(checked && {
      checkedAt: toTimestamp(checked.checkedAt),
      difference: checked.difference,
    }),
  };
}

function gone(): Problem {
  return new Problem("NOT_FOUND", "This file does not wait any more: choose it again.");
}
