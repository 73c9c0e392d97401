import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { findSaleRow, listTenderRows } from "./sale-store.ts";

/** The seller and time of a sale that was paid in cash, all or a part of it. None in training. */
export async function findCashSale(
  db: Db,
  scope: Scope,
  saleId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const sale = await findSaleRow(db, { ...scope, training: false }, saleId);
  const tenders = await listTenderRows(db, scope, [saleId]);
  const hasCash = tenders.some(({ kind, tendered }) => kind === "CASH" && (tendered ?? 0) > 0);
  return sale && hasCash ? { staffId: sale.staff_id, at: sale.created_at } : undefined;
}
