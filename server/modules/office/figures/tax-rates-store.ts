import { sql } from "kysely";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import {
  API_RETURNED,
  API_SALES,
  API_SALES_BACK,
  RETURNED,
  write,
} from "../../../db/figure-sums.ts";
import { TAX_OF_API_SALE } from "../../../db/sales-channel.ts";
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
  const taxOf = sql.raw(`${TAX_OF_API_SALE.kind}, ${TAX_OF_API_SALE.percent}`);
  const isTaxed = sql`p.price_currency = ${currency} and p.shop_tax <> 0`;
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
        and l.created_at < ${from} and l.tax <> 0
      union all
      select ${taxOf}, p.shop_tax, 0 from ${write(API_SALES)}
      where t.account_id = ${accountId} and t.environment = ${environment} and t.training = 0
        and t.created_at >= ${from} and t.created_at < ${until} and ${isTaxed}
      union all
      select ${taxOf}, case when t.created_at >= ${from} then -p.shop_tax else 0 end,
        case when t.created_at < ${from} then p.shop_tax else 0 end
      from ${write(API_SALES_BACK)}
      where x.account_id = ${accountId} and x.environment = ${environment}
        and ${sql.raw(API_RETURNED)} and ${isTaxed}
        and x.finished_at >= ${from} and x.finished_at < ${until})
    group by kind, percent
    having sum(sold) <> 0 or sum(refunded) <> 0
    order by kind desc, cast(percent as double precision)`.execute(db);
  return rows;
}
