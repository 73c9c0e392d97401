import { type RawBuilder, sql } from "kysely";
import { NO_CLERK } from "../contract/pos/figures.ts";
import { readNewestEvent } from "./business-time.ts";
import type { Scope } from "./changes.ts";
import { compileOnce } from "./compiled-query.ts";
import type { Db, Tx } from "./database.ts";
import { indexedBy, joinInOrder } from "./engine-words.ts";
import { SUMS, type Sum } from "./figure-columns.ts";
import { API_PRICE, API_SALE } from "./sales-channel.ts";
import { inScope } from "./scope-filters.ts";

/**
 * The figures of `day_figures`: how each is counted from sales and payments, and when a day is
 * closed (rules#figure-sums-kept).
 */

export const QUARTER_MS = 900_000;
export const DAY_MS = 86_400_000;
const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;

/** Returns whether summed rows of `day_figures` agree with their summed `check_sum`. */
export function isSound(
  sums: Partial<Record<Sum, number>>,
  { check_sum }: { check_sum: number },
): boolean {
  return SUMS.reduce((total, column) => total + (sums[column] ?? 0), 0) === check_sum;
}

export const UNSOUND = `check_sum <> ${SUMS.join(" + ")}`;

const SUMMED = SUMS.map((column) => `sum(${column}) as ${column}`).join(", ");

function same(one: string, other: string, key: string): string {
  return `${one}.account_id = ${other}.account_id and ${one}.environment = ${other}.environment
    and ${one}.${key} = ${other}.${key}`;
}

/** Returns SQL for every sum. Sums that are missing in `given` are 0. */
function row(given: Partial<Record<Sum, string>>): string {
  return SUMS.map((column) => `${given[column] ?? "0"} as ${column}`).join(", ");
}

const SOLD = {
  lines: "1",
  paid: "l.price - l.discount",
  discount: "l.discount",
  tax: "l.tax",
  cost: "l.cost",
  wallet_cost: "p.cost_base + p.cost_fee",
};
/** A returned line was counted at its sale, and is subtracted at its return. */
const BACK = {
  lines_back: "1",
  paid_back: "l.price - l.discount",
  discount_back: "l.discount",
  tax_back: "l.tax",
  cost_back: "l.cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
};
/** A purchase through `/v1` counts as a sale with one line. */
const API_SOLD = {
  lines: "1",
  paid: API_PRICE,
  tax: "p.shop_tax",
  cost: "p.shop_cost",
  wallet_cost: "p.cost_base + p.cost_fee",
};
const API_BACK = {
  lines_back: "1",
  paid_back: API_PRICE,
  tax_back: "p.shop_tax",
  cost_back: "p.shop_cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
};
/** SQL condition: the line was returned. The first part makes the index on `returned_at` usable. */
export const RETURNED = "l.owed in (0, 1) and l.returned_at is not null";
/** Tables in join order, so that the index on the time is used. */
const LINES = `sale_lines l @join sales s on ${same("s", "l", "sale_id")} and s.training = 0
  @join purchases p on ${same("p", "l", "transaction_id")}`;
const LINES_BACK = `sale_lines l @by_return
  @join sales s on ${same("s", "l", "sale_id")} and s.training = 0
  @join purchases p on ${same("p", "l", "transaction_id")}`;
/** Tables of purchases through `/v1`. */
export const API_SALES = `transactions t @by_time
  @join purchases p on ${same("p", "t", "transaction_id")} and ${API_SALE}`;
/**
 * Tables of purchases through `/v1` that were returned: `x` is the failed purchase, or the
 * refund of an eSIM.
 */
export const API_SALES_BACK = `transactions x @by_finish
  left join refunds f on ${same("f", "x", "transaction_id")}
  @join purchases p on p.account_id = x.account_id and p.environment = x.environment
    and p.transaction_id = coalesce(f.refunded_transaction_id, x.transaction_id) and ${API_SALE}
  @join transactions t on ${same("t", "p", "transaction_id")}`;
/** SQL condition: the transaction returned a purchase. The last part makes its index usable. */
export const API_RETURNED = `(x.type = 'DEBIT' and x.status = 'FAILED'
  or x.product_type = 'REFUND' and x.status = 'DONE') and x.finished_at is not null`;
const REFUNDED = `customer_refunds b
  @join customer_refund_lines g @of_sale
    on ${same("g", "b", "customer_refund_id")} and g.sale_id = b.sale_id
  @join sale_lines l on ${same("l", "g", "transaction_id")}
  @join sales s on ${same("s", "l", "sale_id")} and s.training = 0`;

/**
 * SQL: 1 for the last returned line of a sale whose lines are all returned, otherwise 0. Lines that
 * were returned at the same moment are ordered by their position.
 */
const LAST_RETURNED = `case when exists (
    select 1 from sale_lines o
    where ${same("o", "l", "sale_id")} and (o.returned_at is null or o.returned_at > l.returned_at
      or (o.returned_at = l.returned_at and o.position > l.position))) then 0 else 1 end`;

export interface Counted {
  scope: Scope;
  from: number;
  until: number;
}

/** "all": every row. "bound": rows of the scope and period that `bind` inserts. */
type Which = "all" | "bound";

function during(letter: string, which: Which, at = "created_at"): string {
  return which === "all"
    ? "true"
    : `${letter}.account_id = @account and ${letter}.environment = @environment
    and ${letter}.${at} >= @from and ${letter}.${at} < @until`;
}

function returnedDuring(which: Which): string {
  return `${RETURNED} and ${during("l", which, "returned_at")}`;
}

function boughtDuring(which: Which): string {
  return `t.training = 0 and ${during("t", which)}`;
}

function boughtBackDuring(which: Which): string {
  return `${API_RETURNED} and ${during("x", which, "finished_at")}`;
}

/** Inserts the scope and period into a statement of the "bound" kind. */
function bind(text: string, { scope, from, until }: Counted): RawBuilder<unknown> {
  const values: Record<string, unknown> = {
    account: scope.accountId,
    environment: scope.environment,
    from,
    until,
  };
  return write(text, (name) => sql`${values[name]}`);
}

const WORDS: Record<string, RawBuilder<unknown>> = {
  join: joinInOrder,
  of_sale: indexedBy("customer_refund_lines_of_sale"),
  by_return: indexedBy("sale_lines_returned"),
  by_time: indexedBy("transactions_newest"),
  by_finish: indexedBy("transactions_by_finish"),
};

export function write(
  text: string,
  wordOf: (name: string) => RawBuilder<unknown> = () => sql``,
): RawBuilder<unknown> {
  const parts = text.split(/@(\w+)/);
  return sql.join(
    parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : (WORDS[part] ?? wordOf(part)))),
    sql.raw(""),
  );
}

/**
 * Ends the brand in a value of the dimension of brands; the provider follows. A purchase from the
 * shop's first provider has the brand only, so that most shops need no further rows. Brand codes
 * have no line breaks.
 */
export const PROVIDER_MARK = "\n";

/** Returns the parts of a value of the dimension of brands; no provider for the first one. */
export function splitBrandValue(value: string): { brand: string; providerId?: string } {
  const [brand = "", providerId] = value.split(PROVIDER_MARK);
  return { brand, ...(providerId !== undefined && { providerId }) };
}

const BRAND_VALUE = `p.brand || coalesce('${PROVIDER_MARK}' || p.provider_id, '')`;
/** SQL column of each dimension. `l` is the alias of lines, `p` of purchases, `s` of sales. */
export const PART_COLUMNS = {
  FAMILY: "l.product_type",
  BRAND: BRAND_VALUE,
  COUNTRY: "p.country",
  CLERK: "s.staff_id",
  TILL: "s.till",
};
/** Start of the value of a purchase through `/v1` in the dimension of tills; its key follows. */
export const API_TILL = "API ";
/** SQL of each dimension of a purchase through `/v1`, with `t` for its transaction. */
export const API_PART_COLUMNS: Record<Dimension, string> = {
  FAMILY: "t.product_type",
  BRAND: BRAND_VALUE,
  COUNTRY: "p.country",
  CLERK: `'${NO_CLERK}'`,
  TILL: `'${API_TILL}' || coalesce(p.key_id, '')`,
};
/** A dimension of lines, with one row for each value and UTC day. */
export type Dimension = keyof typeof PART_COLUMNS;
/**
 * `ALL` and `TENDER` have rows by quarter hour: in every time zone, a day starts on a quarter hour.
 */
type FigureDimension = Dimension | "ALL" | "TENDER";

const VALUES = { ALL: "''", TENDER: "t.kind || ' ' || t.tender_id" };

function isPart(dimension: FigureDimension): dimension is Dimension {
  return dimension in PART_COLUMNS;
}

const FIGURE_DIMENSIONS: readonly FigureDimension[] = [
  "ALL",
  "TENDER",
  "FAMILY",
  "BRAND",
  "COUNTRY",
  "CLERK",
  "TILL",
];

/** Selects rows in the form of `day_figures`, counted from sales and payments of a period. */
export function countFigures(counted: Counted, dimension: FigureDimension): RawBuilder<unknown> {
  return bind(countRows("bound", dimension), counted);
}

const FIRST_OF_SALE = "case when l.position = 0 then 1 else 0 end";

interface Source {
  sums: Partial<Record<Sum, string>>;
  from: string;
  /** Rows of sales by default. */
  isApi?: true;
  at: string;
  where: (which: Which) => string;
}

function listLineSources(dimension: Dimension | "ALL"): Source[] {
  const isAll = dimension === "ALL";
  const sold: Source["sums"] = {
    ...SOLD,
    ...((isAll || dimension === "CLERK") && { sales: FIRST_OF_SALE }),
    ...(isAll && { cash_rounding: "case when l.position = 0 then s.cash_rounding else 0 end" }),
  };
  const back: Source["sums"] = { ...BACK, ...(isAll && { sales_back: LAST_RETURNED }) };
  return [
    { sums: sold, from: LINES, at: "l.created_at", where: (which) => during("l", which) },
    { sums: back, from: LINES_BACK, at: "l.returned_at", where: returnedDuring },
    ...listApiSources(dimension),
  ];
}

function listApiSources(dimension: Dimension | "ALL"): Source[] {
  const isAll = dimension === "ALL";
  const sold: Source["sums"] = {
    ...API_SOLD,
    ...((isAll || dimension === "CLERK") && { sales: "1" }),
  };
  // The till took no money for it, so a return causes no refund.
  const back: Source["sums"] = {
    ...API_BACK,
    ...(isAll && { sales_back: "1", paid_refunded: API_PRICE }),
  };
  return [
    { sums: sold, from: API_SALES, isApi: true, at: "t.created_at", where: boughtDuring },
    { sums: back, from: API_SALES_BACK, isApi: true, at: "x.finished_at", where: boughtBackDuring },
  ];
}

/** Sums of refunds, except the sums by tender. */
const REFUND_SOURCES: readonly Source[] = [
  {
    sums: { paid_refunded: "l.price - l.discount" },
    from: REFUNDED,
    at: "b.created_at",
    where: (which) => during("b", which),
  },
  {
    sums: { cash_rounding: "-b.cash_rounding" },
    from: `customer_refunds b @join sales s on ${same("s", "b", "sale_id")} and s.training = 0
      and b.cash_rounding <> 0`,
    at: "b.created_at",
    where: (which) => during("b", which),
  },
];

const TENDER_SOURCES: readonly Source[] = [
  {
    sums: { taken: "t.amount" },
    from: `sales s @join sale_tenders t on ${same("t", "s", "sale_id")} and s.training = 0`,
    at: "s.created_at",
    where: (which) => during("s", which),
  },
  {
    sums: { taken_back: "t.amount" },
    from: `customer_refunds b
      @join customer_refund_tenders t on ${same("t", "b", "customer_refund_id")}
      @join sales s on ${same("s", "b", "sale_id")} and s.training = 0`,
    at: "b.created_at",
    where: (which) => during("b", which),
  },
];

function countRows(which: Which, dimension: FigureDimension): string {
  const sources =
    dimension === "TENDER"
      ? TENDER_SOURCES
      : [
          ...listLineSources(dimension),
          ...(dimension === "ALL" ? [...REFUND_SOURCES, ...TENDER_SOURCES] : []),
        ];
  const getValue = (isApi: boolean) => {
    if (!isPart(dimension)) return VALUES[dimension];
    return isApi ? API_PART_COLUMNS[dimension] : PART_COLUMNS[dimension];
  };
  const quarterOf = (at: string) =>
    isPart(dimension) ? `${at} / ${DAY_MS} * ${QUARTERS_A_DAY}` : `${at} / ${QUARTER_MS}`;
  const texts = sources.map(
    ({ sums, from, at, where, isApi = false }) => `
      select ${isApi ? "p.account_id, p.environment" : "s.account_id, s.environment"},
        '${dimension}' as dimension, ${quarterOf(at)} as quarter, ${getValue(isApi)} as value,
        ${isApi ? "p.price_currency" : "s.currency"} as currency, ${row(sums)}
      from ${from} where ${where(which)}`,
  );
  return `select account_id, environment, dimension, quarter, value, currency, ${SUMMED},
      ${SUMS.map((column) => `sum(${column})`).join(" + ")} as check_sum
    from (${texts.join(" union all ")}) group by 1, 2, 3, 4, 5, 6`;
}

const KEYS = ["account_id", "environment", "dimension", "quarter", "value", "currency"] as const;

export async function recountDay(tx: Tx, scope: Scope, day: number): Promise<void> {
  const counted = { scope, from: day * DAY_MS, until: (day + 1) * DAY_MS };
  const columns = sql.raw([...KEYS, ...SUMS, "check_sum"].join(", "));
  for (const dimension of FIGURE_DIMENSIONS) {
    await tx
      .deleteFrom("day_figures")
      .where(inScope(scope))
      .where("dimension", "=", dimension)
      .where("quarter", ">=", day * QUARTERS_A_DAY)
      .where("quarter", "<", (day + 1) * QUARTERS_A_DAY)
      .execute();
    await sql`insert into day_figures (${columns}) ${countFigures(counted, dimension)}`.execute(tx);
  }
}

export interface FigureBounds {
  /** End of the last closed UTC day. Figures after it are counted from sales and payments. */
  closedUntil: number;
  /**
   * Time before which nothing changes any more: no event is dated before the newest one
   * (rules#business-time), and only an unfinished purchase may move to another provider, at another
   * cost (rules#purchase-moves).
   */
  finalUntil: number;
}

export async function readFigureBounds(db: Db | Tx, scope: Scope): Promise<FigureBounds> {
  const { rows } = await selectBounds(db, scope);
  const { figures_until = 0, unfinished = null } = rows[0] ?? {};
  const newest = (await readNewestEvent(db, scope)) ?? 0;
  return {
    closedUntil: figures_until * DAY_MS,
    finalUntil: Math.min(newest, unfinished ?? newest),
  };
}

const selectBounds = compileOnce<Scope, { figures_until: number; unfinished: number | null }>(
  (db, param) => {
    const [account, environment] = [param("accountId"), param("environment")];
    return db
      .selectFrom("environment_settings")
      .select((eb) => [
        eb
          .selectFrom("transactions")
          .select("created_at")
          .where("account_id", "=", account)
          .where("environment", "=", environment)
          .where("finished_at", "is", null)
          .orderBy("created_at")
          .limit(1)
          .as("unfinished"),
        "figures_until",
      ])
      .where("account_id", "=", account)
      .where("environment", "=", environment);
  },
);

/**
 * Writes the figures of the next UTC day, if a business event is dated at or after the day's end:
 * later events are never dated earlier (rules#business-time).
 * @returns whether a day was closed
 */
export async function closeNextDay(tx: Tx, scope: Scope): Promise<boolean> {
  const newest = await readNewestEvent(tx, scope);
  const { closedUntil } = await readFigureBounds(tx, scope);
  const day = closedUntil / DAY_MS || (await findFirstDay(tx, scope));
  if (newest === undefined || day === undefined || newest < (day + 1) * DAY_MS) return false;
  await recountDay(tx, scope, day);
  const { numUpdatedRows } = await tx
    .updateTable("environment_settings")
    .set({ figures_until: day + 1 })
    .where(inScope(scope))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Reopens the UTC day that contains `at`, and later days. Their figures are counted from sales and
 * payments until the job closes them again: a change of many sales causes one recount.
 */
export async function reopenDays(tx: Tx, scope: Scope, at: number): Promise<void> {
  const day = Math.floor(at / DAY_MS);
  const { numUpdatedRows } = await tx
    .updateTable("environment_settings")
    .set({ figures_until: day })
    .where(inScope(scope))
    .where("figures_until", ">", day)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await tx
    .deleteFrom("day_figures")
    .where(inScope(scope))
    .where("dimension", "in", FIGURE_DIMENSIONS)
    .where("quarter", ">=", day * QUARTERS_A_DAY)
    .execute();
}

async function findFirstDay(tx: Tx, scope: Scope): Promise<number | undefined> {
  const first = await tx
    .selectFrom("transactions")
    .select("created_at")
    .where(inScope(scope))
    .where("training", "=", 0)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return first && Math.floor(first.created_at / DAY_MS);
}

/**
 * Finds rows of closed days that differ from their sales and payments. Each such row is a
 * violation. An open day has no rows.
 */
export const FIGURE_SUM_VIOLATIONS = write(
  `select 'figures of ' || coalesce(k.environment, c.environment)
    || ' ' || coalesce(k.dimension, c.dimension) || ' ' || coalesce(k.value, c.value)
    || ' ' || coalesce(k.quarter, c.quarter) || ' are not those of the sales' as violation
  from (select f.* from (${FIGURE_DIMENSIONS.map((one) => countRows("all", one)).join(" union all ")}) f
    join environment_settings e using (account_id, environment)
    where f.quarter < e.figures_until * ${QUARTERS_A_DAY}) c
  full join day_figures k using (${KEYS.join(", ")})
  where ${[...SUMS, "check_sum"].map((column) => `k.${column} is distinct from c.${column}`).join(" or ")}`,
);
