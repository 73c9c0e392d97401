import type { Selectable } from "kysely";
import type { CustomerRefundTender } from "../../../contract/pos/customer-refunds.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { readOpeningTenders } from "../../shop/shop-tenders/index.ts";

type CustomerRefundRow = Selectable<Tables["customer_refunds"]>;

export interface NewCustomerRefund extends Scope {
  customerRefundId: string;
  saleId: string;
  staffId: string;
  /** Whose drawer the money comes out of; none in training. */
  shiftId: string | undefined;
  approvedBy: string | undefined;
  /** The tenders of the refund; they add up to the amounts of its lines and its cash rounding. */
  tenders: readonly CustomerRefundTender[];
  cashRounding: number;
  requestHash: string;
  /** What the customer paid for each line, minor units of the sale's currency. */
  lines: { transactionId: string; amount: number }[];
  till: string;
  at: number;
}

/** Books that money of lines was handed back. A line that was refunded before fails as a duplicate. */
export async function createCustomerRefund(
  tx: Tx,
  customerRefund: NewCustomerRefund,
): Promise<void> {
  const { accountId: account_id, environment, lines, tenders } = customerRefund;
  const scoped = { account_id, environment };
  await tx
    .insertInto("customer_refunds")
    .values({
      ...scoped,
      customer_refund_id: customerRefund.customerRefundId,
      sale_id: customerRefund.saleId,
      staff_id: customerRefund.staffId,
      approved_by: customerRefund.approvedBy ?? null,
      amount: lines.reduce((sum, { amount }) => sum + amount, 0),
      cash_rounding: customerRefund.cashRounding,
      request_hash: customerRefund.requestHash,
      created_at: customerRefund.at,
      shift_id: customerRefund.shiftId ?? null,
      till: customerRefund.till,
    })
    .execute();
  await tx
    .insertInto("customer_refund_lines")
    .values(
      lines.map(({ transactionId, amount }) => ({
        ...scoped,
        transaction_id: transactionId,
        customer_refund_id: customerRefund.customerRefundId,
        sale_id: customerRefund.saleId,
        amount,
      })),
    )
    .execute();
  if (tenders.length === 0) return;
  await tx
    .insertInto("customer_refund_tenders")
    .values(
      tenders.map(({ kind, tenderId, name, amount }) => ({
        ...scoped,
        customer_refund_id: customerRefund.customerRefundId,
        kind,
        tender_id: tenderId ?? "",
        tender_name: name ?? "",
        amount,
      })),
    )
    .execute();
}

/** The tenders by which its money was handed back. */
function listWays(db: Db, scope: Scope, customerRefundId: string) {
  return db
    .selectFrom("customer_refund_tenders")
    .select(["kind", "tender_id"])
    .where(inScope(scope))
    .where("customer_refund_id", "=", customerRefundId)
    .execute();
}

export async function findCustomerRefund(
  db: Db | Tx,
  scope: Scope,
  customerRefundId: string,
): Promise<CustomerRefundRow | undefined> {
  return db
    .selectFrom("customer_refunds")
    .selectAll()
    .where(inScope(scope))
    .where("customer_refund_id", "=", customerRefundId)
    .executeTakeFirst();
}

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
