import { sql } from "kysely";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import { RETURNED } from "../../../db/figure-sums.ts";
import type { FigureScope, Span } from "./figure-sums-store.ts";

/**
 * Sums tax by kind and rate (rules#figure-tax-rates). Lines sold and not returned within the span
 * are added; lines sold earlier and returned within it are subtracted.
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
        and (l.returned_at is null or l.returned_at >= ${until})
      union all
      select l.tax_kind, l.tax_percent, 0, l.tax
      from sale_lines l ${indexedBy("sale_lines_returned")} ${ofShop}
      where l.account_id = ${accountId} and l.environment = ${environment} and ${sql.raw(RETURNED)}
        and l.returned_at >= ${from} and l.returned_at < ${until}
        and l.created_at < ${from} and l.tax <> 0)
    group by kind, percent
    order by kind desc, cast(percent as double precision)`.execute(db);
  return rows;
}
