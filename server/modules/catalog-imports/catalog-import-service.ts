import type { ScopedAuthor } from "../../contract/pos/actor.ts";
import {
  CATALOG_FAULTS_NAMED,
  type CatalogImport,
  type CatalogImportInput,
  type CatalogImportPart,
  type CatalogImportState,
} from "../../contract/pos/catalog-imports.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { placeOfDatabase } from "../../db/database-place.ts";
import type { Transactor } from "../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Unit } from "../../lib/money.ts";
import { type CatalogUpdateService, changesNothing, unpackCatalog } from "../catalog/index.ts";
import type { CheckThread } from "./catalog-file-check.ts";
import {
  findImport,
  noteFailure,
  readImportContent,
  removeImport,
  saveImport,
} from "./catalog-import-store.ts";
import { ReceivedFile } from "./received-file.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  config: { readonly dataDir: string };
  background: CheckThread;
  catalogUpdates: CatalogUpdateService;
  readWalletUnit(db: Db | Tx, accountId: string): Promise<Unit>;
  /** ISO 3166-1 alpha-2; empty where nobody knows. */
  readShopCountry(accountId: string): Promise<string>;
  /** Whether the environment's catalog comes from a connected provider. */
  isFromProvider(scope: Scope): Promise<boolean>;
}

/**
 * Catalog files that are sent by a screen (rules#catalog-import-at-screen): received in parts, checked on
 * a thread, shown as a difference, and written once its owner has read that. Only what waits is in
 * the database: a restart forgets a file that was still being sent.
 */
export class CatalogImportService {
  readonly #deps: Deps;
  readonly #received = new Map<string, ReceivedFile>();
  readonly #working = new Set<Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async get(scope: Scope): Promise<CatalogImportState> {
    const fromProvider = await this.#deps.isFromProvider(scope);
    const received = this.#received.get(keyOf(scope));
    const stored = await findImport(this.#deps.db, scope);
    if (received && received.importId !== stored?.importId) {
      return { fromProvider, import: received.view() };
    }
    if (!stored) return { fromProvider };
    const { importId, name, bytes, difference } = stored;
    const view: CatalogImport = {
      importId,
      name,
      state: "READY",
      ...(received && { ...received.outcome, state: received.state }),
      receivedBytes: bytes,
      bytes,
      checkedAt: toTimestamp(stored.checkedAt),
      difference,
    };
    return { fromProvider, import: view };
  }

  /**
   * Makes room for a file that is sent in parts; what was there before is dropped.
   * @throws Problem INVALID_REQUEST where the catalog comes from the provider
   */
  async begin(author: ScopedAuthor, input: CatalogImportInput): Promise<CatalogImportState> {
    await this.#requireOwn(author);
    const before = this.#received.get(keyOf(author));
    if (before?.importId !== input.importId) {
      await this.cancel(author);
      this.#received.set(keyOf(author), new ReceivedFile(input));
    }
    return this.get(author);
  }

  /**
   * Takes the next part. With the last one the file is checked.
   * @throws Problem NOT_FOUND where another file is being sent, or none, INVALID_REQUEST for a wrong part
   */
  async addPart(author: ScopedAuthor, part: CatalogImportPart): Promise<CatalogImportState> {
    const { importId, offset, content } = part;
    const file = this.#received.get(keyOf(author));
    if (file?.importId !== importId) throw gone();
    if (file.state === "RECEIVING") {
      file.add(offset, Buffer.from(content, "base64"));
      if (file.isWhole) {
        file.state = "CHECKING";
        this.#work(file, () => this.#check(author, file));
      }
    }
    return this.get(author);
  }

  /**
   * Writes the file that waits, and answers while that goes on.
   * @throws Problem NOT_FOUND where it does not wait any more, or the catalog has changed since
   */
  async accept(author: ScopedAuthor, importId: string): Promise<CatalogImportState> {
    await this.#requireOwn(author);
    const { db, catalogUpdates } = this.#deps;
    const stored = await findImport(db, author);
    if (stored?.importId !== importId) throw gone();
    const before = this.#received.get(keyOf(author));
    if (before?.importId === importId && before.state === "WRITING") return this.get(author);
    if ((await catalogUpdates.findVersion(author)) !== stored.baseVersion) {
      await this.cancel(author);
      throw new Problem("NOT_FOUND", "The catalog has changed since: choose the file again.");
    }
    const { name, bytes } = stored;
    const file = new ReceivedFile({ importId, name, bytes });
    file.take();
    file.state = "WRITING";
    file.outcome = { written: 0 };
    this.#received.set(keyOf(author), file);
    this.#work(file, () => this.#write(author, file));
    return this.get(author);
  }

  /** Drops the file, wherever it stands. What is in force already stays. */
  async cancel(author: ScopedAuthor): Promise<CatalogImportState> {
    this.#received.get(keyOf(author))?.ended.abort();
    this.#received.delete(keyOf(author));
    await this.#deps.transactor.transact(author.accountId, (tx) => removeImport(tx, author));
    return this.get(author);
  }

  /** A check that is under way ends with its thread; what is being written is given up. */
  async stop(): Promise<void> {
    for (const file of this.#received.values()) file.ended.abort();
    await Promise.all(this.#working);
  }

  async #requireOwn(scope: Scope): Promise<void> {
    if (await this.#deps.isFromProvider(scope)) {
      throw new Problem("INVALID_REQUEST", "This catalog comes from the connected provider.");
    }
  }

  #work(file: ReceivedFile, task: () => Promise<void>): void {
    const work = task().catch((error: unknown) => {
      if (file.ended.signal.aborted) return;
      this.#deps.log.warn({ err: error }, "a catalog file could not be taken");
      file.state = "FAILED";
      file.outcome = { failure: error instanceof Error ? error.message : String(error) };
    });
    this.#working.add(work);
    void work.then(() => this.#working.delete(work));
  }

  async #check(author: ScopedAuthor, file: ReceivedFile): Promise<void> {
    const { db, clock, transactor, background, config } = this.#deps;
    const { accountId, environment } = author;
    const { signal } = file.ended;
    const order = {
      bytes: file.take(),
      scope: { accountId, environment },
      wallet: await this.#deps.readWalletUnit(db, accountId),
      country: await this.#deps.readShopCountry(accountId),
      faultsNamed: CATALOG_FAULTS_NAMED,
      database: placeOfDatabase(config),
    };
    const checked = await background.run("checkCatalogFile", order, signal);
    if (signal.aborted) return;
    const checkedAt = clock.now();
    if ("faults" in checked) {
      const { faults, faultCount } = checked;
      const [first] = faults;
      const where = [first?.line && `line ${first.line}`, first?.field].filter(Boolean).join(", ");
      const failure = `${faultCount} faults; the first: ${where} ${first?.message ?? ""}`.trim();
      await transactor.transact(author.accountId, (tx) =>
        noteFailure(tx, author, { source: file.name, failure, at: checkedAt }),
      );
      file.outcome = { faults, faultCount };
      file.state = "FAULTY";
      return;
    }
    const { baseVersion, difference, content } = checked;
    if (changesNothing(difference)) {
      file.state = "SAME";
      return;
    }
    const { importId, name, bytes } = file;
    const waiting = { importId, name, bytes, checkedAt, baseVersion, difference };
    await transactor.transact(author.accountId, (tx) =>
      signal.aborted ? Promise.resolve() : saveImport(tx, author, waiting, content),
    );
    file.state = "READY";
  }

  async #write(author: ScopedAuthor, file: ReceivedFile): Promise<void> {
    const { db, catalogUpdates, transactor, clock } = this.#deps;
    const { importId, name } = file;
    const { accountId, environment, staffId } = author;
    const content = await readImportContent(db, author, importId);
    if (!content) throw gone();
    try {
      const input = await unpackCatalog(content);
      await catalogUpdates.replace({ accountId, environment }, input, {
        source: name,
        action: "catalog.import",
        ...(staffId !== undefined && { staffId }),
        async requireWanted(tx) {
          const isWanted = !file.ended.signal.aborted && (await removeImport(tx, author, importId));
          if (!isWanted) throw gone();
        },
        noteStep(written, steps) {
          file.outcome = { written: written / steps };
        },
      });
      file.outcome = { written: 1 };
      file.state = "DONE";
    } catch (error) {
      if (file.ended.signal.aborted) return;
      const failure = error instanceof Error ? error.message : String(error);
      await transactor.transact(author.accountId, async (tx) => {
        await removeImport(tx, author, importId);
        await noteFailure(tx, author, { source: name, failure, at: clock.now() });
      });
      throw error;
    }
  }
}

function keyOf({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}

function gone(): Problem {
  return new Problem("NOT_FOUND", "This file does not wait any more: choose it again.");
}
