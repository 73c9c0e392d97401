import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { transactByAccount } from "../../../db/by-account.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { hasChecksums } from "../../../db/engine-words.ts";
import { claimEnd, DATABASE_NOW } from "../../../db/postgres/claims.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { MINUTE } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
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

type CatalogWriterDeps = Pick<Base, "db" | "transactor" | "log" | "claimant">;

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

/** Small, to limit the waiting time of other writers. */
const ROWS_PER_TRANSACTION = 75;

/** An import without progress for this time is considered abandoned. */
const WRITING_MS = 5 * MINUTE;

/** Columns without scope and generation. The first is the id. */
const COLUMNS: Record<CatalogTable, readonly [string, ...string[]]> = {
  brands: ["brand", "brand_name", "detail_json"],
  offers: [
    "offer_id",
    "product_type",
    "brand",
    "country",
    "offer_json",
    "created_at",
    "updated_at",
    "provider_id",
    "product_id",
  ],
  promos: ["promo_id", "promo_json", "created_at", "provider_id"],
};

async function findNextGeneration(tx: Tx, scope: Scope): Promise<number> {
  const listed = await tx
    .selectFrom("catalog_generations")
    .select((eb) => eb.fn.max("generation").as("last"))
    .where(inScope(scope))
    .executeTakeFirst();
  const inForce = await tx
    .selectFrom("catalogs")
    .select("generation")
    .where(inScope(scope))
    .executeTakeFirst();
  return Math.max(listed?.last ?? 0, inForce?.generation ?? 0) + 1;
}

/** @param claimant the importing process; undefined if no other process uses the database */
export async function beginGeneration(
  tx: Tx,
  scope: Scope,
  importId: string,
  claimant: Claimant | undefined,
): Promise<Edition> {
  const { accountId, environment } = scope;
  const generation = await findNextGeneration(tx, scope);
  await tx
    .insertInto("catalog_generations")
    .values({
      account_id: accountId,
      environment,
      generation,
      import_id: importId,
      ...(claimant && { written_by: claimant.owner, written_until: claimEnd(WRITING_MS) }),
    })
    .execute();
  return { accountId, environment, generation };
}

/** Extends the import's claim. Returns false if the import must not continue. */
export async function goOnWriting(
  tx: Tx,
  edition: Edition,
  importId: string,
  claimant: Claimant | undefined,
): Promise<boolean> {
  if (!claimant) return isBeingWritten(tx, edition, importId);
  const { numUpdatedRows } = await tx
    .updateTable("catalog_generations")
    .set({ written_until: claimEnd(WRITING_MS) })
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .where("import_id", "=", importId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Returns whether the import is still running: a restart of the gateway ends it. */
async function isBeingWritten(tx: Tx, edition: Edition, importId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("catalog_generations")
    .select("import_id")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .executeTakeFirst();
  return row?.import_id === importId;
}

async function unlistGeneration(tx: Tx, edition: Edition): Promise<void> {
  await tx
    .deleteFrom("catalog_generations")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .execute();
}

/** Marks a generation as ended. After the commit, its rows may be deleted. */
async function endGeneration(tx: Tx, edition: Edition): Promise<void> {
  const { accountId, environment, generation } = edition;
  await tx
    .insertInto("catalog_generations")
    .values({ account_id: accountId, environment, generation, import_id: null })
    .onConflict((clash) =>
      clash.columns(["account_id", "environment", "generation"]).doUpdateSet({ import_id: null }),
    )
    .execute();
}

/**
 * @param claimant this process; undefined if no other process uses the database
 * @returns accounts with abandoned imports
 */
function listAbandoned(db: Db, claimant: Claimant | undefined): Promise<{ account_id: string }[]> {
  return db
    .selectFrom("catalog_generations")
    .select("account_id")
    .where("import_id", "is not", null)
    .where(isAbandoned(claimant))
    .execute();
}

async function endAbandoned(
  tx: Tx,
  accountId: string,
  claimant: Claimant | undefined,
): Promise<void> {
  await tx
    .updateTable("catalog_generations")
    .set({ import_id: null })
    .where("account_id", "=", accountId)
    .where("import_id", "is not", null)
    .where(isAbandoned(claimant))
    .execute();
}

/** Matches imports with expired claims, and imports of a previous run of this process. */
function isAbandoned(claimant: Claimant | undefined): RawBuilder<boolean> {
  if (!claimant) return sql<boolean>`true`;
  const { place } = claimant;
  return sql<boolean>`(written_until is null or written_until <= ${DATABASE_NOW}
    or substr(written_by, 1, ${place.length}) = ${place})`;
}

/**
 * Copies rows with their checksums, so that damage stays detectable.
 * @param ids at most `ROWS_PER_TRANSACTION`
 */
async function copyRows(
  tx: Tx,
  table: CatalogTable,
  { from, to, ids }: { from: Edition; to: Edition; ids: readonly string[] },
): Promise<void> {
  const [id] = COLUMNS[table];
  const columns = sql.join(COLUMNS[table].map((column) => sql.ref(column)));
  const { accountId, environment } = from;
  const source = sql`account_id = ${accountId} and environment = ${environment}
    and generation = ${from.generation} and ${sql.ref(id)} in (${sql.join(ids)})`;
  await sql`insert into ${sql.table(table)} (account_id, environment, generation, ${columns})
    select account_id, environment, ${to.generation}, ${columns} from ${sql.table(table)}
    where ${source}`.execute(tx);
  await sql`update ${sql.table(table)} as copy set checksum = original.checksum
    from (select ${sql.ref(id)}, checksum from ${sql.table(table)} where ${source}) as original
    where ${hasChecksums} and copy.account_id = ${accountId} and copy.environment = ${environment}
      and copy.generation = ${to.generation} and copy.${sql.ref(id)} = original.${sql.ref(id)}
      and copy.checksum is distinct from original.checksum`.execute(tx);
}

async function deleteEnded(
  { db, transactor }: { db: Db; transactor: Transactor },
  isOver: () => boolean = () => false,
): Promise<void> {
  for (;;) {
    const found = await db
      .selectFrom("catalog_generations")
      .select(["account_id", "environment", "generation"])
      .where("import_id", "is", null)
      .executeTakeFirst();
    if (!found || isOver()) return;
    const { account_id: accountId, environment, generation } = found;
    const edition = { accountId, environment, generation };
    // Referring rows are deleted first.
    for (const table of CATALOG_TABLES.toReversed()) {
      for (let deleted = ROWS_PER_TRANSACTION; deleted === ROWS_PER_TRANSACTION; ) {
        if (isOver()) return;
        deleted = await transactor.transact(edition.accountId, (tx) =>
          deleteSome(tx, table, edition),
        );
      }
    }
    await transactor.transact(edition.accountId, (tx) => unlistGeneration(tx, edition));
  }
}

/** @returns number of deleted rows */
async function deleteSome(tx: Tx, table: CatalogTable, edition: Edition): Promise<number> {
  const { accountId, environment, generation } = edition;
  const id = sql.ref(COLUMNS[table][0]);
  const isOfEdition = sql`account_id = ${accountId} and environment = ${environment}
    and generation = ${generation}`;
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${sql.table(table)}
    where ${isOfEdition} limit ${ROWS_PER_TRANSACTION}`.execute(tx);
  if (rows.length === 0) return 0;
  // PostgreSQL has no statistics for a new generation, and would scan the table for a subquery.
  const ids = sql.join(rows.map((row) => row.id));
  await sql`delete from ${sql.table(table)} where ${isOfEdition} and ${id} in (${ids})`.execute(tx);
  return rows.length;
}
