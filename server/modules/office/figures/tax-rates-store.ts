import { sql } from "kysely";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import type { FigureScope, Span } from "./figure-sums-store.ts";

/**
 * Sums the tax of a span's figures by kind and rate: lines sold in it that did not fail in it, and earlier lines that
 * failed in it. These are the lines of the figures, so the sum is their tax (rules#figure-tax-rates).
 */
export async function sumTaxRates(
  db: Db,
  { accountId, environment, currency }: FigureScope,
  { from, until }: Span,
): Promise<ShiftTax[]> {
  const ofShop = sql`${joinInOrder} sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id and s.training = 0 and s.currency = ${currency}`;
  const { rows } = await sql<ShiftTax>`
    select kind, percent, sum(sold) as sold, sum(refunded) as refunded from (
      select l.tax_kind as kind, l.tax_percent as percent, l.tax as sold, 0 as refunded
      from sale_lines l ${indexedBy("sale_lines_newest")} ${ofShop}
      ${joinInOrder} transactions t on t.account_id = l.account_id and t.environment = l.environment
        and t.transaction_id = l.transaction_id
        and (t.status <> 'FAILED' or t.finished_at >= ${until})
      where l.account_id = ${accountId} and l.environment = ${environment}
        and l.created_at >= ${from} and l.created_at < ${until} and l.tax <> 0
      union all
      select l.tax_kind, l.tax_percent, 0, l.tax
      from transactions t ${indexedBy("transactions_by_finish")}
      ${joinInOrder} sale_lines l on l.account_id = t.account_id and l.environment = t.environment
        and l.transaction_id = t.transaction_id ${ofShop}
      where t.account_id = ${accountId} and t.environment = ${environment}
        and t.finished_at >= ${from} and t.finished_at < ${until} and t.status = 'FAILED'
        and l.created_at < ${from} and l.tax <> 0)
    group by kind, percent
    order by kind desc, cast(percent as double precision)`.execute(db);
  return rows;
}
