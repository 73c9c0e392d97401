import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { CATALOG_FAULTS_NAMED } from "../../../contract/pos/catalog-imports.ts";
import { Problem } from "../../../contract/problem.ts";
import { CLAIMS } from "../../../db/account-lock.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { placeOfDatabase } from "../../../db/database-place.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { type Clock, MINUTE } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Unit } from "../../../lib/money.ts";
import {
  CatalogRefused,
  type CatalogUpdateService,
  changesNothing,
  findCatalogVersion,
  unpackCatalog,
} from "../../catalog/catalog/index.ts";
import type { CheckedFile, CheckThread } from "./catalog-file-check.ts";
import {
  type CatalogFile,
  endFile,
  findFile,
  keepChecked,
  noteFailure,
  noteWritten,
  readBytes,
  readPacked,
} from "./catalog-file-store.ts";

export const CATALOG_FILE_JOB = "catalog.file";

/**
 * Time for which errors that the file did not cause are retried. It is short, because the owner
 * waits.
 */
const GIVE_UP_AFTER_MS = 10 * MINUTE;

const NOTES = 20;

interface CatalogImportWorkerDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  config: { readonly dataDir: string };
  background: CheckThread;
  catalogUpdates: CatalogUpdateService;
  readWalletUnit(db: Db | Tx, accountId: string): Promise<Unit>;
  /** Returns ISO 3166-1 alpha-2; empty if unknown. */
  readShopCountry(accountId: string): Promise<string>;
}

export function enqueueWork(tx: Tx, scope: Scope, importId: string, runAt: number): Promise<void> {
  return enqueueJob(tx, { kind: CATALOG_FILE_JOB, subject: encodeSubject(scope, importId), runAt });
}

/**
 * Checks and writes uploaded files. If a process ends, the next process that runs the job starts
 * over.
 */
export class CatalogImportWorker {
  readonly #deps: CatalogImportWorkerDeps;
  readonly #ends = new Map<string, AbortController>();
  #isStopped = false;

  constructor(deps: CatalogImportWorkerDeps) {
    this.#deps = deps;
  }

  drop(importId: string): void {
    this.#ends.get(importId)?.abort();
  }

  /** Cancels the work, which another process or the next start runs again. */
  stop(): void {
    this.#isStopped = true;
    for (const end of this.#ends.values()) end.abort();
  }

  async work(subject: string): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    const { scope, id: importId } = decodeSubject(subject);
    const file = await findFile(db, scope, clock.now());
    if (file?.importId !== importId) return;
    const author = { ...scope, staffId: file.staffId };
    const end = new AbortController();
    this.#ends.set(importId, end);
    if (this.#isStopped) end.abort();
    try {
      if (file.state === "CHECKING") await this.#check(author, file, end.signal);
      else if (file.state === "WRITING") await this.#write(author, file, end.signal);
    } catch (error) {
      if (this.#isStopped) {
        await transactor.transact(scope.accountId, (tx) =>
          enqueueWork(tx, scope, importId, clock.now()),
        );
      } else if (!end.signal.aborted) {
        await this.#fail(author, file, error);
      }
    } finally {
      this.#ends.delete(importId);
    }
  }

  async #check(author: ScopedAuthor, file: CatalogFile, signal: AbortSignal): Promise<void> {
    const { db, transactor, background, config } = this.#deps;
    const { accountId, environment } = author;
    const bytes = await readBytes(db, author, file);
    // Either the file was deleted during the job, or its bytes are damaged. Damaged bytes are
    // reported.
    if (!bytes) {
      await this.#endWithoutBytes(author, file);
      return;
    }
    const order = {
      bytes,
      scope: { accountId, environment },
      wallet: await this.#deps.readWalletUnit(db, accountId),
      country: await this.#deps.readShopCountry(accountId),
      faultsNamed: CATALOG_FAULTS_NAMED,
      database: placeOfDatabase(config),
    };
    signal.throwIfAborted();
    const checked = await background.run("checkCatalogFile", order, { signal });
    await transactor.transact(accountId, (tx) => this.#noteChecked(tx, author, file, checked));
  }

  async #endWithoutBytes(author: ScopedAuthor, { importId }: CatalogFile): Promise<void> {
    const { transactor, clock } = this.#deps;
    const failure = "A part of the file is missing: choose it again.";
    const failed = { state: "FAILED", outcome: { failure }, at: clock.now() } as const;
    await transactor.transact(author.accountId, (tx) =>
      endFile(tx, author, { importId, state: "CHECKING" }, failed),
    );
  }

  async #noteChecked(
    tx: Tx,
    author: ScopedAuthor,
    file: CatalogFile,
    checked: CheckedFile,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    const { importId, name } = file;
    const which = { importId, state: "CHECKING" } as const;
    if ("faults" in checked) {
      const { faults, faultCount } = checked;
      const outcome = { faults, faultCount };
      const isWanted = await endFile(tx, author, which, { state: "FAULTY", outcome, at });
      const failure = describeFaults(checked);
      if (isWanted) await noteFailure(tx, author, { source: name, failure, at });
      return;
    }
    const { baseVersion, difference, content } = checked;
    if (changesNothing(difference)) {
      await endFile(tx, author, which, { state: "SAME", outcome: {}, at });
      return;
    }
    await keepChecked(tx, author, importId, { checkedAt: at, baseVersion, difference, content });
  }

  async #write(author: ScopedAuthor, file: CatalogFile, signal: AbortSignal): Promise<void> {
    const { db, catalogUpdates, transactor, clock } = this.#deps;
    const { importId, name } = file;
    const { accountId, environment, staffId } = author;
    const content = await readPacked(db, author, importId);
    // The file was deleted during the job, or is already written.
    if (!content) return;
    const input = await unpackCatalog(content);
    const end = async (tx: Tx): Promise<void> => {
      const which = { importId, state: "WRITING" } as const;
      const done = { state: "DONE", outcome: { written: 1 }, at: clock.now() } as const;
      await endFile(tx, author, which, done);
    };
    const { changed } = await catalogUpdates.replace({ accountId, environment }, input, {
      source: name,
      action: "catalog.import",
      ...(staffId !== undefined && { staffId }),
      requireWanted: (tx) => this.#requireWanted(tx, author, importId),
      noteStep: (written, steps) => {
        signal.throwIfAborted();
        this.#noteStep(author, importId, { written, steps });
      },
      noteInForce: end,
    });
    if (!changed) await transactor.transact(accountId, end);
  }

  async #requireWanted(tx: Tx, author: ScopedAuthor, importId: string): Promise<void> {
    const file = await findFile(tx, author, this.#deps.clock.now());
    if (file?.importId !== importId || file.state !== "WRITING") throw new NotWanted();
    const version = (await findCatalogVersion(tx, author)) ?? 0;
    if (version !== file.checked?.baseVersion) throw changedSince();
  }

  /** Stores the progress without waiting, so that the import is not delayed. */
  #noteStep(
    scope: Scope,
    importId: string,
    { written, steps }: { written: number; steps: number },
  ): void {
    const { transactor, log } = this.#deps;
    const noted = (step: number) => Math.floor((step * NOTES) / steps);
    if (noted(written) === noted(written - 1)) return;
    transactor
      .transact(CLAIMS, (tx) => noteWritten(tx, scope, importId, written / steps))
      .catch((error: unknown) =>
        log.warn({ err: error }, "could not store the progress of a catalog import"),
      );
  }

  /** @throws errors that the file did not cause, for a retry */
  async #fail(author: ScopedAuthor, file: CatalogFile, error: unknown): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    const { importId, name, state } = file;
    if (error instanceof NotWanted || (state !== "CHECKING" && state !== "WRITING")) return;
    const at = clock.now();
    const isOfFile = error instanceof Problem || error instanceof CatalogRefused;
    if (!isOfFile && at - file.touchedAt < GIVE_UP_AFTER_MS) throw error;
    log.warn({ err: error }, "could not import a catalog file");
    const failure = error instanceof Error ? error.message : String(error);
    await transactor.transact(author.accountId, async (tx) => {
      const failed = { state: "FAILED", outcome: { failure }, at } as const;
      const isWanted = await endFile(tx, author, { importId, state }, failed);
      if (!isWanted || state === "CHECKING") return;
      await noteFailure(tx, author, { source: name, failure, at });
    });
  }
}

/** Thrown if the file was deleted, or another process has written it. */
class NotWanted extends Error {}

export function changedSince(): Problem {
  return new Problem("NOT_FOUND", "The catalog has changed since: choose the file again.");
}

function describeFaults({ faults, faultCount }: Extract<CheckedFile, { faultCount: number }>) {
  const [first] = faults;
  const where = [first?.line && `line ${first.line}`, first?.field].filter(Boolean).join(", ");
  return `${faultCount} faults; the first: ${where} ${first?.message ?? ""}`.trim();
}
