import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";

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
