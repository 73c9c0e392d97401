import { randomUUID } from "node:crypto";
import { transactByAccount } from "../../../db/by-account.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Log } from "../../../lib/log.ts";
import {
  beginGeneration,
  copyRows,
  deleteEnded,
  endAbandoned,
  endGeneration,
  findNextGeneration,
  goOnWriting,
  isBeingWritten,
  listAbandoned,
  ROWS_PER_TRANSACTION,
  unlistGeneration,
} from "./catalog-generations.ts";
import {
  CATALOG_TABLES,
  type CatalogChange,
  type CatalogState,
  type CatalogTable,
  chunks,
  type Edition,
  findCatalogState,
  putBrands,
  putOffers,
  putPromos,
  removeBrands,
  removeOffers,
  removePromos,
  type StoredCatalog,
} from "./catalog-store.ts";

const ROWS_AT_ONCE = 500;

export interface CatalogWrite {
  /** Version of the stored catalog; undefined if there is none. */
  base: number | undefined;
  change: CatalogChange;
  source: string;
  at: number;
}

/**
 * Writes into the generation in force, within one transaction. Brands are written before the rows
 * that refer to them, and deleted after those rows.
 * @returns the new version; undefined, and nothing written, if `base` is not in force
 */
export async function writeCatalogChange(
  tx: Tx,
  scope: Scope,
  { base, change, source, at }: CatalogWrite,
): Promise<number | undefined> {
  const before = await findCatalogState(tx, scope);
  if (before?.version !== base) return undefined;
  const { accountId, environment } = scope;
  const generation = before?.generation ?? (await findNextGeneration(tx, scope));
  const version = (base ?? 0) + 1;
  await putInForce(tx, scope, { version, generation, source, at });
  const edition = { accountId, environment, generation };
  const { brands, offers, promos } = change;
  for (const rows of chunks(brands.put, ROWS_AT_ONCE)) await putBrands(tx, edition, rows);
  for (const ids of chunks(offers.remove, ROWS_AT_ONCE)) await removeOffers(tx, edition, ids);
  for (const rows of chunks(offers.put, ROWS_AT_ONCE)) await putOffers(tx, edition, rows);
  for (const ids of chunks(promos.remove, ROWS_AT_ONCE)) await removePromos(tx, edition, ids);
  for (const rows of chunks(promos.put, ROWS_AT_ONCE)) await putPromos(tx, edition, rows);
  for (const ids of chunks(brands.remove, ROWS_AT_ONCE)) await removeBrands(tx, edition, ids);
  return version;
}

async function putInForce(
  tx: Tx,
  scope: Scope,
  {
    version,
    generation,
    source,
    at,
  }: Omit<CatalogState, "choices" | "updated_at"> & { at: number },
): Promise<void> {
  const { accountId, environment } = scope;
  const state = { version, generation, source, updated_at: at };
  await tx
    .insertInto("catalogs")
    .values({ account_id: accountId, environment, ...state })
    .onConflict((clash) => clash.columns(["account_id", "environment"]).doUpdateSet(state))
    .execute();
  await recordChange(tx, scope, { topic: "catalog", subject: source, at });
}

/** A change of fewer rows is written in place, in one transaction. */
const FEW_ROWS = 100;

interface CatalogWriterDeps {
  db: Db;
  transactor: Transactor;
  log: Log;
  claimant: Claimant | undefined;
}

interface NewCatalog {
  stored: StoredCatalog;
  change: CatalogChange;
  source: string;
  at: number;
  requireWanted(tx: Tx): Promise<void>;
  noteStep(written: number, steps: number): void;
  record(tx: Tx, version: number): Promise<void>;
}

/**
 * Blocks other writers for a hundred rows at most (rules#catalog-import). A large catalog is
 * written as a new generation of rows beside the old one. One small transaction exchanges the
 * generations, so that either catalog is complete after a power cut. Old rows are deleted later.
 */
export class CatalogWriter {
  readonly #deps: CatalogWriterDeps;
  #stopped = false;
  #deleting: Promise<void> = Promise.resolve();

  constructor(deps: CatalogWriterDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the new version; undefined, and nothing written, if another catalog was put in force
   * first
   */
  async write(scope: Scope, catalog: NewCatalog): Promise<number | undefined> {
    return countRows(catalog.change) < FEW_ROWS
      ? this.#writeInPlace(scope, catalog)
      : this.#writeBeside(scope, catalog);
  }

  async recover(): Promise<void> {
    const { db, transactor, claimant } = this.#deps;
    const left = await listAbandoned(db, claimant);
    await transactByAccount(transactor, left, (tx, _rows, accountId) =>
      endAbandoned(tx, accountId, claimant),
    );
  }

  start(): void {
    this.#deleting = this.#deleteGivenUp();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#deleting;
  }

  async #writeInPlace(scope: Scope, catalog: NewCatalog): Promise<number | undefined> {
    const { stored, change, source, at } = catalog;
    return this.#deps.transactor.transact(scope.accountId, async (tx) => {
      await catalog.requireWanted(tx);
      const base = stored.version;
      const version = await writeCatalogChange(tx, scope, { base, change, source, at });
      if (version !== undefined) await catalog.record(tx, version);
      return version;
    });
  }

  async #writeBeside(scope: Scope, catalog: NewCatalog): Promise<number | undefined> {
    const { transactor, claimant } = this.#deps;
    const importId = randomUUID();
    const edition = await transactor.transact(scope.accountId, (tx) =>
      beginGeneration(tx, scope, importId, claimant),
    );
    try {
      const steps = [...listSteps(edition, catalog)];
      for (const [index, write] of steps.entries()) {
        const isWritten = await transactor.transact(edition.accountId, async (tx) => {
          if (!(await goOnWriting(tx, edition, importId, claimant))) return false;
          await write(tx);
          return true;
        });
        if (!isWritten) return undefined;
        catalog.noteStep(index + 1, steps.length);
      }
      const version = await transactor.transact(scope.accountId, (tx) =>
        exchange(tx, edition, importId, catalog),
      );
      if (version === undefined) await this.#abandon(edition, importId);
      return version;
    } catch (error) {
      await this.#abandon(edition, importId).catch(() => {});
      throw error;
    } finally {
      await this.#deleteGivenUp();
    }
  }

  async #abandon(edition: Edition, importId: string): Promise<void> {
    await this.#deps.transactor.transact(edition.accountId, async (tx) => {
      if (await isBeingWritten(tx, edition, importId)) await endGeneration(tx, edition);
    });
  }

  /** Deletes rows that no reader sees. The gateway repeats a failed deletion at the next start. */
  async #deleteGivenUp(): Promise<void> {
    try {
      await deleteEnded(this.#deps, () => this.#stopped);
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        "could not delete rows of an older catalog; the next start tries again",
      );
    }
  }
}

async function exchange(
  tx: Tx,
  edition: Edition,
  importId: string,
  catalog: NewCatalog,
): Promise<number | undefined> {
  const { stored, source, at } = catalog;
  const { generation } = edition;
  await catalog.requireWanted(tx);
  const before = await findCatalogState(tx, edition);
  if (before?.version !== stored.version) return undefined;
  if (!(await isBeingWritten(tx, edition, importId))) return undefined;
  const version = (before?.version ?? 0) + 1;
  await putInForce(tx, edition, { version, generation, source, at });
  await unlistGeneration(tx, edition);
  if (before) await endGeneration(tx, { ...edition, generation: before.generation });
  await catalog.record(tx, version);
  return version;
}

/** Lists the transactions of an import. Referenced rows are written first. */
function* listSteps(
  to: Edition,
  { stored, change }: NewCatalog,
): Generator<(tx: Tx) => Promise<unknown>> {
  const from = { ...to, generation: stored.generation };
  for (const table of CATALOG_TABLES) {
    for (const ids of chunks(idsThatStay(stored, change, table), ROWS_PER_TRANSACTION)) {
      yield (tx) => copyRows(tx, table, { from, to, ids });
    }
    if (table === "brands") {
      for (const rows of chunks(change.brands.put, ROWS_PER_TRANSACTION)) {
        yield (tx) => putBrands(tx, to, rows);
      }
    } else if (table === "offers") {
      for (const rows of chunks(change.offers.put, ROWS_PER_TRANSACTION)) {
        yield (tx) => putOffers(tx, to, rows);
      }
    } else {
      for (const rows of chunks(change.promos.put, ROWS_PER_TRANSACTION)) {
        yield (tx) => putPromos(tx, to, rows);
      }
    }
  }
}

function idsThatStay(stored: StoredCatalog, change: CatalogChange, table: CatalogTable): string[] {
  const others = new Set([...idsPut(change, table), ...change[table].remove]);
  return [...stored[table].keys()].filter((id) => !others.has(id));
}

function idsPut({ brands, offers, promos }: CatalogChange, table: CatalogTable): string[] {
  if (table === "brands") return brands.put.map(({ brand }) => brand);
  if (table === "offers") return offers.put.map((row) => row.offer_id);
  return promos.put.map((row) => row.promo_id);
}

function countRows(change: CatalogChange): number {
  return CATALOG_TABLES.reduce(
    (sum, table) => sum + change[table].put.length + change[table].remove.length,
    0,
  );
}
