import { type RawBuilder, sql } from "kysely";
import type { Family } from "../../../contract/pos/families.ts";
import type { FigureChannel } from "../../../contract/pos/figures.ts";
import type { TaxKind } from "../../../contract/pos/taxes.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import {
  API_RETURNED,
  API_SALES,
  API_SALES_BACK,
  DAY_MS,
  QUARTER_MS,
  RETURNED,
  readFigureBounds,
  write,
} from "../../../db/figure-sums.ts";
import { API_PRICE, TAX_OF_API_SALE } from "../../../db/sales-channel.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import type { FigureScope, Span } from "./counted-rows.ts";
import { isApiSaleOfPart, isLineOfPart, isStoredPart, type Part } from "./figure-parts.ts";

const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;

/** Position in a list ordered newest first by time, kind and id. */
export interface RowPosition {
  at: number;
  kind: string;
  id: string;
}

export interface LineRow extends RowPosition {
  /** Null for a purchase through `/v1`. */
  sale_id: string | null;
  sale_number: number | null;
  family: Family;
  offer_id: string;
  brand: string;
  brand_name: string;
  country: string;
  clerk: string;
  till: string;
  price: number;
  discount: number;
  tax: number;
  cost: number;
  rate: string;
  tax_kind: TaxKind;
  tax_percent: string;
  channel: FigureChannel;
  key_id: string | null;
  key_name: string | null;
  /** Name of the provider; null in test. */
  provider: string | null;
}

export interface MovementRow extends RowPosition {
  sale_id: string;
  sale_number: number;
  tender: TenderKind;
  tender_id: string;
  tender_name: string;
  clerk: string;
  amount: number;
  reference: string;
}

export interface RowPage {
  span: Span;
  /** The last row of the previous page. */
  after: RowPosition | undefined;
  limit: number;
}

/** Kinds of rows. Rows of the same moment are sorted by kind, alphabetically. */
const SOLD = "SOLD";
const RETURNED_KIND = "NOT_DELIVERED";
const BACK = "HANDED_BACK";
const TAKEN = "TAKEN";

export async function listLineRows(
  db: Db,
  scope: FigureScope,
  page: RowPage,
  part: Part | undefined,
): Promise<LineRow[]> {
  if (!part) return listAllWithin(db, scope, page, part);
  const rows: LineRow[] = [];
  for (const span of await listSpansWithPart(db, scope, page, part)) {
    const left = { ...page, span, limit: page.limit - rows.length };
    rows.push(...(await listAllWithin(db, scope, left, part)));
    if (rows.length >= page.limit) break;
  }
  return rows;
}

/**
 * Returns the spans that may contain lines of a part, newest first: open days, and closed days that
 * have such lines.
 */
async function listSpansWithPart(
  db: Db,
  scope: FigureScope,
  { span, after, limit }: RowPage,
  part: Part,
): Promise<Span[]> {
  const { closedUntil } = await readFigureBounds(db, scope);
  const last = Math.min(span.until, closedUntil, after?.at ?? Number.POSITIVE_INFINITY);
  const rows = await db
    .selectFrom("day_figures")
    .select("quarter")
    .where(inScope(scope))
    .where(sql<boolean>`${isStoredPart(part)}`)
    .where("currency", "=", scope.currency)
    .where("quarter", ">=", Math.floor(span.from / DAY_MS) * QUARTERS_A_DAY)
    .where("quarter", "<=", Math.floor(last / DAY_MS) * QUARTERS_A_DAY)
    .groupBy("quarter")
    .orderBy("quarter", "desc")
    // Reads one more day than lines, because the previous page may have ended with its day's last
    // line.
    .limit(limit + 1)
    .execute();
  const closed = rows.map(({ quarter }) => ({
    from: Math.max(span.from, quarter * QUARTER_MS),
    until: Math.min(span.until, quarter * QUARTER_MS + DAY_MS),
  }));
  const open = { from: Math.max(span.from, closedUntil), until: span.until };
  return open.from < open.until ? [open, ...closed] : closed;
}

/** Name of the purchase's provider, by the primary key; its address if the owner gave none. */
const PROVIDER = sql`(select case u.name when '' then u.base_url else u.name end from upstreams u
  where u.account_id = p.account_id and u.environment = p.environment
    and u.provider_id = coalesce(p.provider_id, ${sql.lit(FIRST_PROVIDER)}))`;

const LINE_COLUMNS = sql`l.transaction_id as id, s.sale_id, s.sale_number, l.product_type as family,
    p.offer_id, p.brand, p.brand_name, p.country, c.name as clerk, l.price, l.discount, l.tax, l.cost,
    l.rate, l.tax_kind, l.tax_percent, coalesce((select n.name from tills n
      where n.account_id = l.account_id and n.till_id = s.till), s.till) as till,
    case s.till when 'FILE' then 'BULK' else 'TILL' end as channel, null as key_id, null as key_name,
    ${PROVIDER} as provider`;
const API_COLUMNS = sql`t.transaction_id as id, null as sale_id, null as sale_number,
    t.product_type as family, p.offer_id, p.brand, p.brand_name, p.country, '' as clerk,
    ${sql.raw(API_PRICE)} as price, 0 as discount, p.shop_tax as tax, p.shop_cost as cost,
    p.shop_rate as rate,
    case when p.tax_rate is null then 'NONE' else ${sql.raw(TAX_OF_API_SALE.kind)} end as tax_kind,
    case when p.tax_rate is null then '0' else ${sql.raw(TAX_OF_API_SALE.percent)} end
      as tax_percent, 'API' as till, 'API' as channel, p.key_id,
    (select k.name from api_keys k where k.account_id = p.account_id and k.key_id = p.key_id)
      as key_name, ${PROVIDER} as provider`;

/** Returns SQL that selects the newest rows of one kind. */
type RowSource = (scope: FigureScope, page: RowPage, part: Part | undefined) => RawBuilder<LineRow>;

/** Joins the table first whose columns tell whether a line is of the part. */
function joinLines({ currency }: FigureScope, part: Part | undefined): RawBuilder<unknown> {
  const sales = sql`${joinInOrder} sales s on s.account_id = l.account_id
      and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
      and s.currency = ${currency}`;
  const purchases = sql`${joinInOrder} purchases p on p.account_id = l.account_id
      and p.environment = l.environment and p.transaction_id = l.transaction_id`;
  const isOfPurchase = part && ["BRAND", "PROVIDER", "COUNTRY"].includes(part.by);
  return sql`${isOfPurchase ? sql`${purchases} ${sales}` : sql`${sales} ${purchases}`}
    ${joinInOrder} staff c on c.account_id = s.account_id and c.staff_id = s.staff_id`;
}

const selectSold: RowSource = (scope, page, part) => sql`
    select l.created_at as at, ${SOLD} as kind, ${LINE_COLUMNS}
    from sale_lines l ${indexedBy("sale_lines_newest")} ${joinLines(scope, part)}
    where ${during("l", scope, page)} and ${isAfter("l.created_at", "l.transaction_id", SOLD, page)}
      and ${isLineOfPart(part)}
    order by l.created_at desc, l.transaction_id desc limit ${page.limit}`;

const selectReturned: RowSource = (scope, page, part) => sql`
    select l.returned_at as at, ${RETURNED_KIND} as kind, ${LINE_COLUMNS}
    from sale_lines l ${indexedBy("sale_lines_returned")} ${joinLines(scope, part)}
    where ${during("l", scope, page, "returned_at")} and ${sql.raw(RETURNED)}
      and ${isAfter("l.returned_at", "l.transaction_id", RETURNED_KIND, page)}
      and ${isLineOfPart(part)}
    order by l.returned_at desc, l.transaction_id desc limit ${page.limit}`;

const selectApiSold: RowSource = (scope, page, part) => sql`
    select t.created_at as at, ${SOLD} as kind, ${API_COLUMNS} from ${write(API_SALES)}
    where ${during("t", scope, page)} and t.training = 0
      and p.price_currency = ${scope.currency} and ${isApiSaleOfPart(part)}
      and ${isAfter("t.created_at", "t.transaction_id", SOLD, page)}
    order by t.created_at desc, t.transaction_id desc limit ${page.limit}`;

const selectApiReturned: RowSource = (scope, page, part) => sql`
    select x.finished_at as at, ${RETURNED_KIND} as kind, ${API_COLUMNS} from ${write(API_SALES_BACK)}
    where ${during("x", scope, page, "finished_at")} and ${sql.raw(API_RETURNED)}
      and p.price_currency = ${scope.currency} and ${isApiSaleOfPart(part)}
      and ${isAfter("x.finished_at", "t.transaction_id", RETURNED_KIND, page)}
    order by x.finished_at desc, t.transaction_id desc limit ${page.limit}`;

/**
 * Merges the sources of lines. The oldest line of a full page limits the period of the sources after
 * it: without this limit, each of them would read and sort the whole period for a few lines.
 */
async function listAllWithin(
  db: Db,
  scope: FigureScope,
  page: RowPage,
  part: Part | undefined,
): Promise<LineRow[]> {
  let rows: LineRow[] = [];
  for (const select of [selectSold, selectReturned, selectApiSold, selectApiReturned]) {
    const oldest = rows.length < page.limit ? undefined : rows.at(-1)?.at;
    const span = { ...page.span, from: Math.max(page.span.from, oldest ?? page.span.from) };
    const found = await select(scope, { ...page, span }, part).execute(db);
    rows = mergeNewest([...rows, ...found.rows], page.limit);
  }
  return rows;
}

export async function listMovementRows(
  db: Db,
  scope: FigureScope,
  page: RowPage,
): Promise<MovementRow[]> {
  const taken = await sql<MovementRow>`
    select s.created_at as at, ${TAKEN} as kind, s.sale_id || ' ' || t.kind || t.position as id,
      s.sale_id, s.sale_number, t.kind as tender, t.tender_id, t.tender_name, c.name as clerk,
      t.amount,
      coalesce(t.reference, '') as reference
    from sales s ${indexedBy("sales_newest")}
    join sale_tenders t on t.account_id = s.account_id and t.environment = s.environment
      and t.sale_id = s.sale_id
    join staff c on c.account_id = s.account_id and c.staff_id = s.staff_id
    where ${during("s", scope, page)} and s.training = 0 and s.currency = ${scope.currency}
      and ${isAfter("s.created_at", "s.sale_id || ' ' || t.kind || t.position", TAKEN, page)}
    order by s.created_at desc, id desc limit ${page.limit}`.execute(db);
  const back = await sql<MovementRow>`
    select b.created_at as at, ${BACK} as kind, b.customer_refund_id || ' ' || t.kind || t.tender_id as id,
      s.sale_id, s.sale_number, t.kind as tender, t.tender_id, t.tender_name, c.name as clerk,
      -t.amount as amount,
      '' as reference
    from customer_refunds b ${indexedBy("customer_refunds_newest")}
    join customer_refund_tenders t on t.account_id = b.account_id
      and t.environment = b.environment and t.customer_refund_id = b.customer_refund_id
    join sales s on s.account_id = b.account_id and s.environment = b.environment
      and s.sale_id = b.sale_id and s.training = 0 and s.currency = ${scope.currency}
    join staff c on c.account_id = b.account_id and c.staff_id = b.staff_id
    where ${during("b", scope, page)}
      and ${isAfter("b.created_at", "b.customer_refund_id || ' ' || t.kind || t.tender_id", BACK, page)}
    order by b.created_at desc, id desc limit ${page.limit}`.execute(db);
  return mergeNewest([...taken.rows, ...back.rows], page.limit);
}

export interface OwedRow extends RowPosition {
  sale_id: string;
  sale_number: number;
  clerk: string;
  amount: number;
}

export async function listOwedRows(
  db: Db,
  scope: FigureScope,
  { after, limit }: Omit<RowPage, "span">,
): Promise<OwedRow[]> {
  const { rows } = await sql<OwedRow>`
    select o.returned_at as at, 'OWED' as kind, o.transaction_id as id, s.sale_id, s.sale_number,
      c.name as clerk, o.price - o.discount as amount
    from sale_lines o ${indexedBy("sale_lines_returned")}
    join sales s on s.account_id = o.account_id and s.environment = o.environment
      and s.sale_id = o.sale_id
    join staff c on c.account_id = s.account_id and c.staff_id = s.staff_id
    where o.account_id = ${scope.accountId} and o.environment = ${scope.environment}
      and o.owed = 1 and o.returned_at is not null and s.currency = ${scope.currency}
      and ${isAfter("o.returned_at", "o.transaction_id", "OWED", { after })}
    order by o.returned_at desc, o.transaction_id desc limit ${limit}`.execute(db);
  return rows;
}

function during(
  letter: string,
  scope: FigureScope,
  { span }: RowPage,
  at = "created_at",
): RawBuilder<unknown> {
  const [account, environment, time] = ["account_id", "environment", at].map((name) =>
    sql.ref(`${letter}.${name}`),
  );
  return sql`${account} = ${scope.accountId} and ${environment} = ${scope.environment}
    and ${time} >= ${span.from} and ${time} < ${span.until}`;
}

function isAfter(
  at: string,
  id: string,
  kind: string,
  { after }: Pick<RowPage, "after">,
): RawBuilder<unknown> {
  if (!after) return sql`true`;
  const sameTime =
    kind === after.kind
      ? sql`${sql.raw(id)} < ${after.id}`
      : sql.raw(kind < after.kind ? "true" : "false");
  return sql`${sql.raw(at)} <= ${after.at} and (${sql.raw(at)} < ${after.at} or ${sameTime})`;
}

function mergeNewest<Row extends RowPosition>(rows: Row[], limit: number): Row[] {
  return rows.sort(comparePlaces).slice(0, limit);
}

function comparePlaces(a: RowPosition, b: RowPosition): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.kind !== b.kind) return a.kind < b.kind ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
