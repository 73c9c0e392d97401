import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { findGiveBack, wentInCash } from "./give-back-store.ts";
import { findSaleRow, listTenderRows } from "./sale-store.ts";

/** Who booked something that cash crossed the counter for, and when. */
interface CashDeed {
  staffId: string;
  at: number;
}

/**
 * A sale that was paid in cash, all or a part of it: with something handed over. In training nothing
 * is.
 */
export async function findCashSale(
  db: Db,
  scope: Scope,
  saleId: string,
): Promise<CashDeed | undefined> {
  const sale = await findSaleRow(db, { ...scope, training: false }, saleId);
  const tenders = await listTenderRows(db, scope, [saleId]);
  const hasCash = tenders.some(({ kind, tendered }) => kind === "CASH" && (tendered ?? 0) > 0);
  return sale && hasCash ? { staffId: sale.staff_id, at: sale.created_at } : undefined;
}

/** Money that was handed back in cash, all or a part of it. */
export async function findCashGiveBack(
  db: Db,
  scope: Scope,
  giveBackId: string,
): Promise<CashDeed | undefined> {
  const row = await findGiveBack(db, scope, giveBackId);
  return row && (await wentInCash(db, scope, giveBackId))
    ? { staffId: row.staff_id, at: row.created_at }
    : undefined;
}
