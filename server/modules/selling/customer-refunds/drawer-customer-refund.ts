import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { readOpeningTenders } from "../../shop/shop-tenders/index.ts";
import { findCustomerRefund, listWays } from "./customer-refund-store.ts";

/** Who handed money back by a tender that opens the drawer, all or a part of it, and when. */
export async function findDrawerCustomerRefund(
  db: Db,
  scope: Scope,
  customerRefundId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const row = await findCustomerRefund(db, scope, customerRefundId);
  if (!row) return undefined;
  const opens = await readOpeningTenders(db, scope.accountId);
  const ways = await listWays(db, scope, customerRefundId);
  const isOpening = ways.some(({ kind, tender_id }) => opens.has(tender_id || kind));
  return isOpening ? { staffId: row.staff_id, at: row.created_at } : undefined;
}
