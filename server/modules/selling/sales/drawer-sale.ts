import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { readOpeningTenders } from "../../shop/shop-tenders/index.ts";
import { findSaleRow, listTenderRows } from "./sale-store.ts";

/**
 * The seller and time of a sale that was paid, all or a part of it, by a tender that opens the drawer. None
 * in training.
 */
export async function findDrawerSale(
  db: Db,
  scope: Scope,
  saleId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const sale = await findSaleRow(db, { ...scope, training: false }, saleId);
  if (!sale) return undefined;
  const opens = await readOpeningTenders(db, scope.accountId);
  const tenders = await listTenderRows(db, scope, [saleId]);
  const isOpening = tenders.some(
    ({ kind, tender_id, amount, tendered }) =>
      opens.has(tender_id || kind) && (tendered ?? amount) > 0,
  );
  return isOpening ? { staffId: sale.staff_id, at: sale.created_at } : undefined;
}
