import type { Family } from "../../contract/pos/families.ts";
import type { Db, Tx } from "../../db/database.ts";
import { linesWithClerks, type SalesScope } from "../sales/index.ts";

/** A line of a sale with what it says of the sale. */
export interface SoldLine {
  saleId: string;
  saleNumber: number;
  clerk: string;
  transactionId: string;
  recipient: string;
  soldAt: number;
}

/**
 * Lines that were sold, newest first: of a family, to one recipient, since an instant, or only one
 * person's own and everybody's of today.
 */
export async function listSoldLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: {
    productType: Family;
    recipient?: string;
    since?: number;
    only?: { staffId: string; today: number };
    limit: number;
  },
): Promise<SoldLine[]> {
  const { productType, recipient, since, only, limit } = filter;
  let query = soldLines(db, scope).where("l.product_type", "=", productType);
  if (recipient !== undefined) query = query.where("l.recipient", "=", recipient);
  if (since !== undefined) query = query.where("l.created_at", ">=", since);
  if (only !== undefined) {
    query = query.where((eb) =>
      eb.or([eb("s.staff_id", "=", only.staffId), eb("l.created_at", ">=", only.today)]),
    );
  }
  return query.orderBy("l.created_at", "desc").limit(limit).execute();
}

/** The newest line of a family to each of these recipients; recipients without one are left out. */
export async function findLastSoldLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: { productType: Family; recipients: readonly string[] },
): Promise<SoldLine[]> {
  const { productType, recipients } = filter;
  if (recipients.length === 0) return [];
  const rows = await soldLines(db, scope)
    .where("l.product_type", "=", productType)
    .where("l.recipient", "in", recipients)
    .where("l.created_at", "=", (eb) =>
      eb
        .selectFrom("sale_lines as newer")
        .select((newest) => newest.fn.max("newer.created_at").as("at"))
        .whereRef("newer.account_id", "=", "l.account_id")
        .whereRef("newer.environment", "=", "l.environment")
        .whereRef("newer.recipient", "=", "l.recipient")
        .where("newer.product_type", "=", productType),
    )
    .execute();
  // Two lines of one sale may go to the same number: they are equally new.
  return [...new Map(rows.map((row) => [row.recipient, row])).values()];
}

function soldLines(db: Db | Tx, scope: SalesScope) {
  return linesWithClerks(db, scope).select([
    "l.sale_id as saleId",
    "s.sale_number as saleNumber",
    "c.name as clerk",
    "l.transaction_id as transactionId",
    "l.recipient as recipient",
    "l.created_at as soldAt",
  ]);
}
