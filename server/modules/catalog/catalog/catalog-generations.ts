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

/** Rows that one transaction writes or deletes at most, so that nobody waits long for it. */
export const ROWS_PER_TRANSACTION = 150;

/** How long the import of a process that is gone is left alone; each step of one that goes on begins it anew. */
const WRITING_MS = 5 * MINUTE;

/** The columns of a row beside its scope and generation; the first is its id. */
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
  ],
  promos: ["promo_id", "promo_json", "created_at"],
};

/** A generation that no rows have, in force or not. */
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

/**
 * Begins a generation for an import to write.
 * @param claimant whose import it is; undefined where one process has the database for itself
 */
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

/** Whether an import may write on, which other processes leave it for a while longer then. */
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

/** Whether an import may write on: a start of the gateway ends those of an earlier run. */
export async function isBeingWritten(tx: Tx, edition: Edition, importId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("catalog_generations")
    .select("import_id")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .executeTakeFirst();
  return row?.import_id === importId;
}

/** Strikes a generation off the list of those that are not in force. */
export async function unlistGeneration(tx: Tx, edition: Edition): Promise<void> {
  await tx
    .deleteFrom("catalog_generations")
    .where(inScope(edition))
    .where("generation", "=", edition.generation)
    .execute();
}

/** From the commit on, nobody writes a generation any more, and its rows may be deleted. */
export async function giveUpGeneration(tx: Tx, edition: Edition): Promise<void> {
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
 * Whose imports of an earlier run have left something.
 * @param claimant this process, which leaves alone what others are writing; undefined where it is the only one
 */
export function listLeft(
  db: Db,
  claimant: Claimant | undefined,
): Promise<{ account_id: string }[]> {
  return db
    .selectFrom("catalog_generations")
    .select("account_id")
    .where("import_id", "is not", null)
    .where(isLeft(claimant))
    .execute();
}

/** Gives that up, of an account. */
export async function giveUpLeft(
  tx: Tx,
  accountId: string,
  claimant: Claimant | undefined,
): Promise<void> {
  await tx
    .updateTable("catalog_generations")
    .set({ import_id: null })
    .where("account_id", "=", accountId)
    .where("import_id", "is not", null)
    .where(isLeft(claimant))
    .execute();
}

/** Holds for what an earlier process of a place has written, or one whose time is over. */
function isLeft(claimant: Claimant | undefined): RawBuilder<boolean> {
  if (!claimant) return sql<boolean>`true`;
  const { place } = claimant;
  return sql<boolean>`(written_until is null or written_until <= ${DATABASE_NOW}
    or substr(written_by, 1, ${place.length}) = ${place})`;
}

/**
 * Copies rows into another generation as they are: one that a fault has changed is not made good by it.
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

/** Deletes the rows of every generation that was given up, some at a time. */
export async function deleteGivenUp(
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
    // What refers to others goes first.
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

/** @returns how many rows were deleted */
async function deleteSome(tx: Tx, table: CatalogTable, edition: Edition): Promise<number> {
  const { accountId, environment, generation } = edition;
  const id = sql.ref(COLUMNS[table][0]);
  const isOfEdition = sql`account_id = ${accountId} and environment = ${environment}
    and generation = ${generation}`;
  const { rows } = await sql<{ id: string }>`select ${id} as id from ${sql.table(table)}
    where ${isOfEdition} limit ${ROWS_PER_TRANSACTION}`.execute(tx);
  if (rows.length === 0) return 0;
  // Named one by one: a server that does not know a new generation yet looks through all of it for each of them.
  const ids = sql.join(rows.map((row) => row.id));
  await sql`delete from ${sql.table(table)} where ${isOfEdition} and ${id} in (${ids})`.execute(tx);
  return rows.length;
}
