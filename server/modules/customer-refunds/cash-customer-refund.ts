import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { findCustomerRefund, wentInCash } from "./customer-refund-store.ts";

/** Who handed money back in cash, all or a part of it, and when. */
export async function findCashCustomerRefund(
  db: Db,
  scope: Scope,
  customerRefundId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const row = await findCustomerRefund(db, scope, customerRefundId);
  return row && (await wentInCash(db, scope, customerRefundId))
    ? { staffId: row.staff_id, at: row.created_at }
    : undefined;
}
