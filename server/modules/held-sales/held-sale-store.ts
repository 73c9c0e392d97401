import type { Selectable } from "kysely";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { Tables } from "../../db/tables.ts";
import type { SalesScope } from "../sales/index.ts";

export type HeldSaleRow = Omit<Selectable<Tables["held_sales"]>, "checksum">;

export async function createHeldSale(tx: Tx, row: HeldSaleRow): Promise<void> {
  await tx.insertInto("held_sales").values(row).execute();
}

export async function findHeldSale(
  db: Db | Tx,
  scope: Scope,
  heldSaleId: string,
): Promise<HeldSaleRow | undefined> {
  return db
    .selectFrom("held_sales")
    .selectAll()
    .where(inScope(scope))
    .where("held_sale_id", "=", heldSaleId)
    .executeTakeFirst();
}

/** Those that wait, newest first. */
export async function listHeldSales(db: Db | Tx, scope: SalesScope): Promise<HeldSaleRow[]> {
  return db
    .selectFrom("held_sales")
    .selectAll()
    .where(inScope(scope))
    .where("training", "=", scope.training ? 1 : 0)
    .where("ended_at", "is", null)
    .orderBy("held_at", "desc")
    .execute();
}

/** Takes a held sale out of the list, if it waits. */
export async function endHeldSale(
  tx: Tx,
  scope: SalesScope,
  heldSaleId: string,
  end: { staffId: string; resumeId: string | undefined; at: number },
): Promise<void> {
  await tx
    .updateTable("held_sales")
    .set({ ended_at: end.at, ended_by: end.staffId, resume_id: end.resumeId ?? null })
    .where(inScope(scope))
    .where("held_sale_id", "=", heldSaleId)
    .where("training", "=", scope.training ? 1 : 0)
    .where("ended_at", "is", null)
    .execute();
}
