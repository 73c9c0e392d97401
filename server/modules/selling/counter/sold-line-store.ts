import { sql } from "kysely";
import type { Family } from "../../../contract/pos/families.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import { linesWithClerks, type SalesScope } from "../sales/index.ts";

export interface SoldLine {
  saleId: string;
  saleNumber: number;
  clerk: string;
  transactionId: string;
  recipient: string;
  soldAt: number;
}

export async function listSoldLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: {
    productType: Family;
    recipient?: string;
    since?: number;
    limit: number;
  },
): Promise<SoldLine[]> {
  const { productType, recipient, since, limit } = filter;
  let query = soldLines(db, scope).where("l.product_type", "=", productType);
  if (recipient !== undefined) query = query.where("l.recipient", "=", recipient);
  if (since !== undefined) query = query.where("l.created_at", ">=", since);
  return query.orderBy("l.created_at", "desc").limit(limit).execute();
}

export async function listOwnLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: { productType: Family; staffId: string; since: number; limit: number },
): Promise<SoldLine[]> {
  return (
    soldLines(db, scope)
      .where("s.staff_id", "=", filter.staffId)
      .where("s.created_at", ">=", filter.since)
      // Prevents the index by family, with which SQLite would read the lines of all people.
      .where(sql<boolean>`${withoutIndex}l.product_type = ${filter.productType}`)
      .orderBy("s.created_at", "desc")
      .limit(filter.limit)
      .execute()
  );
}

/** Omits recipients without a line. */
export async function findLastSoldLines(
  db: Db | Tx,
  scope: SalesScope,
  filter: { productType: Family; recipients: readonly string[] },
): Promise<SoldLine[]> {
  const { productType, recipients } = filter;
  const lines: SoldLine[] = [];
  for (const recipient of new Set(recipients)) {
    lines.push(...(await listSoldLines(db, scope, { productType, recipient, limit: 1 })));
  }
  return lines;
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
