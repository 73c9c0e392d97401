import type { Selectable } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";

export type FavouriteRow = Selectable<Tables["favourites"]>;

/** Keeps a number under a name, in place of the one it had. */
export async function saveFavourite(
  tx: Tx,
  scope: Scope,
  favourite: { number: string; name: string; at: number },
): Promise<void> {
  const { number, name, at } = favourite;
  await tx
    .insertInto("favourites")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      number,
      name,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "number"]).doUpdateSet({ name }),
    )
    .execute();
}

export async function removeFavourite(tx: Tx, scope: Scope, number: string): Promise<void> {
  await tx.deleteFrom("favourites").where(inScope(scope)).where("number", "=", number).execute();
}

export async function listFavourites(db: Db | Tx, scope: Scope): Promise<FavouriteRow[]> {
  return db.selectFrom("favourites").selectAll().where(inScope(scope)).execute();
}

/** The names that numbers are kept under; a number that is not kept is left out. */
export async function findFavouriteNames(
  db: Db | Tx,
  scope: Scope,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("favourites")
    .select(["number", "name"])
    .where(inScope(scope))
    .where("number", "in", numbers)
    .execute();
  return new Map(rows.map(({ number, name }) => [number, name]));
}

/** Remembers the brand of a number, in place of the one that was remembered. */
export async function saveCarrier(
  tx: Tx,
  scope: Scope,
  carrier: { number: string; brand: string; at: number },
): Promise<void> {
  const change = { brand: carrier.brand, updated_at: carrier.at };
  await tx
    .insertInto("remembered_carriers")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      number: carrier.number,
      ...change,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "number"]).doUpdateSet(change),
    )
    .execute();
}

export async function findCarrier(
  db: Db | Tx,
  scope: Scope,
  number: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("remembered_carriers")
    .select("brand")
    .where(inScope(scope))
    .where("number", "=", number)
    .executeTakeFirst();
  return row?.brand;
}
