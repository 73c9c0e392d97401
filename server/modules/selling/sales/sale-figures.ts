import { sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import { linesWithCustomerRefunds, linesWithTransactions, type SalesScope } from "./lines-query.ts";

export interface SaleFigures {
  sold: number;
  sending: number;
  refundDue: number;
  refunded: number;
  discount: number;
  unfinished: number;
  sales: number;
}

/** Sums over the lines of a period, by outcome; minor units of the shop's currency. */
export async function sumLines(
  db: Db | Tx,
  scope: SalesScope,
  period: { since: number; currency: string },
): Promise<SaleFigures> {
  const rows = await linesWithCustomerRefunds(db, scope)
    .select((eb) => [
      "t.status",
      eb.fn.countAll<number>().as("lines"),
      eb.fn.sum<number>("l.price").as("price"),
      eb.fn.sum<number>("l.discount").as("discount"),
      eb.fn.coalesce(eb.fn.sum<number>("g.amount"), eb.lit(0)).as("refunded"),
    ])
    .where("l.created_at", ">=", period.since)
    .where("s.currency", "=", period.currency)
    .groupBy("t.status")
    .execute();
  const { sales } = await linesWithTransactions(db, scope)
    .select(sql<number>`count(distinct l.sale_id)`.as("sales"))
    .where("l.created_at", ">=", period.since)
    .where("s.currency", "=", period.currency)
    .where("t.status", "<>", "FAILED")
    .executeTakeFirstOrThrow();
  const figures: SaleFigures = {
    sales,
    sold: 0,
    sending: 0,
    refundDue: 0,
    refunded: 0,
    discount: 0,
    unfinished: 0,
  };
  for (const row of rows) {
    const paid = row.price - row.discount;
    figures.refunded += row.refunded;
    if (row.status === "FAILED") {
      figures.refundDue += paid - row.refunded;
      continue;
    }
    figures.discount += row.discount;
    if (row.status === "DONE") figures.sold += paid;
    else {
      figures.sending += paid;
      figures.unfinished += row.lines;
    }
  }
  return figures;
}
