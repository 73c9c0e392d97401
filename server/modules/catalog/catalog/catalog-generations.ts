import { type RawBuilder, sql } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Claimant } from "../../../db/claimant.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { hasChecksums } from "../../../db/engine-words.ts";
import { claimEnd, DATABASE_NOW } from "../../../db/postgres/claims.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { CATALOG_TABLES, type CatalogTable, type Edition } from "./catalog-store.ts";

/** Small, to limit the waiting time of other writers. */
export const ROWS_PER_TRANSACTION = 75;

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

export async function findNextGeneration(tx: Tx, scope: Scope): Promise<number> {
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
export async function isBeingWritten(tx: Tx, edition: Edition, importId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("catalog_generations")
    .select("import_id")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .executeTakeFirst();
  return row?.import_id === importId;
}

export async function unlistGeneration(tx: Tx, edition: Edition): Promise<void> {
  await tx
    .deleteFrom("catalog_generations")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .execute();
}

/** Marks a generation as ended. After the commit, its rows may be deleted. */
export async function endGeneration(tx: Tx, edition: Edition): Promise<void> {
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
export function listAbandoned(
  db: Db,
  claimant: Claimant | undefined,
): Promise<{ account_id: string }[]> {
  return db
    .selectFrom("catalog_generations")
    .select("account_id")
    .where("import_id", "is not", null)
    .where(isAbandoned(claimant))
    .execute();
}

export async function endAbandoned(
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
export async function copyRows(
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

export async function deleteEnded(
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
