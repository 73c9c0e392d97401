import { sql } from "kysely";
import type { ShiftTax } from "../../contract/pos/taxes.ts";
import type { Db } from "../../db/database.ts";
import { indexedBy, joinInOrder } from "../../db/engine-words.ts";
import type { FigureScope, Span } from "./figure-sums-store.ts";

/**
 * What the lines that were sold in a span are taxed, and those that were handed back in it, by kind and
 * rate: the same lines that figures add up, so that all of it is their tax (rules#figure-tax-rates).
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
      where l.account_id = ${accountId} and l.environment = ${environment}
        and l.created_at >= ${from} and l.created_at < ${until} and l.tax <> 0
      union all
      select l.tax_kind, l.tax_percent, 0, l.tax
      from customer_refunds b ${indexedBy("customer_refunds_newest")}
      ${joinInOrder} customer_refund_lines g ${indexedBy("customer_refund_lines_of_sale")}
        on g.account_id = b.account_id and g.environment = b.environment and g.sale_id = b.sale_id
        and g.customer_refund_id = b.customer_refund_id
      ${joinInOrder} sale_lines l on l.account_id = g.account_id and l.environment = g.environment
        and l.transaction_id = g.transaction_id ${ofShop}
      where b.account_id = ${accountId} and b.environment = ${environment}
        and b.created_at >= ${from} and b.created_at < ${until} and l.tax <> 0)
    group by kind, percent
    order by kind desc, cast(percent as double precision)`.execute(db);
  return rows;
}
