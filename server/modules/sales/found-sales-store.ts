import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { SalesScope } from "./lines-query.ts";
import type { SaleRow } from "./sale-store.ts";

/** How many of the newest lines to one recipient are read, however many there were. */
const DEPTH = 50;

/** The sale with this number. */
export async function findByNumber(
  db: Db | Tx,
  scope: SalesScope,
  saleNumber: number,
): Promise<SaleRow | undefined> {
  return db
    .selectFrom("sales")
    .selectAll()
    .where(inScope(scope))
    .where("sale_number", "=", saleNumber)
    .where("training", "=", scope.training ? 1 : 0)
    .executeTakeFirst();
}

/** The sales with the newest lines to a recipient, as it was written: each once, newest first. */
export async function listSoldTo(
  db: Db | Tx,
  scope: SalesScope,
  recipient: string,
): Promise<SaleRow[]> {
  const lines = await db
    .selectFrom("sale_lines")
    .select("sale_id")
    .where(inScope(scope))
    .where("recipient", "=", recipient)
    .orderBy("created_at", "desc")
    .limit(DEPTH)
    .execute();
  if (lines.length === 0) return [];
  return db
    .selectFrom("sales")
    .selectAll()
    .where(inScope(scope))
    .where("sale_id", "in", [...new Set(lines.map((line) => line.sale_id))])
    .where("training", "=", scope.training ? 1 : 0)
    .execute();
}
