import { type RawBuilder, sql } from "kysely";
import type { Scope } from "./changes.ts";
import type { Tx } from "./database.ts";
import { indexedBy, joinInOrder } from "./engine-words.ts";

/**
 * The sums of `figure_quarters` and `figure_days`, which triggers maintain: their checks, and their
 * recalculation (rules#figure-sums-kept).
 */
export const DAY_SUMS = [
  "sales",
  "lines",
  "paid",
  "discount",
  "tax",
  "cost",
  "wallet_cost",
  "lines_back",
  "paid_back",
  "tax_back",
  "cost_back",
  "wallet_cost_back",
  "discount_back",
] as const;
export type DaySum = (typeof DAY_SUMS)[number];

const MONEY_SUMS = [
  "cash_rounding",
  "cash",
  "card",
  "other",
  "cash_back",
  "card_back",
  "other_back",
  "sales_back",
  "paid_refunded",
] as const;
export const QUARTER_SUMS = [...DAY_SUMS, ...MONEY_SUMS] as const;
export type QuarterSum = (typeof QUARTER_SUMS)[number];

/** In the order of their weights in a check: 1, 3, 5 and so on. A new column is added at the end. */
const WEIGHED: readonly QuarterSum[] = [
  ...DAY_SUMS.filter((column) => column !== "discount_back"),
  ...MONEY_SUMS.filter((column) => column !== "sales_back" && column !== "paid_refunded"),
  "discount_back",
  "sales_back",
  "paid_refunded",
];

/** Returns the weight of a sum in a check, which never changes. */
export function weightOf(column: QuarterSum): number {
  return 2 * WEIGHED.indexOf(column) + 1;
}

/**
 * Sums of tenders that the owner added. The first tender of each kind has the remainder of the kind's
 * sums.
 */
const TENDER_SUMS = ["taken", "taken_back"] as const;

export const QUARTER_MS = 900_000;
export const DAY_MS = 86_400_000;

/** Returns whether sums of any number of rows are intact: each column has its own weight. */
export function isSound(
  sums: Partial<Record<QuarterSum, number>>,
  { check_sum }: { check_sum: number },
): boolean {
  const expected = WEIGHED.map((column, index) => (2 * index + 1) * (sums[column] ?? 0));
  return expected.reduce((sum, weighted) => sum + weighted, 0) === check_sum;
}

function weighted(
  columns: readonly string[],
  summedUp = (column: string) => `sum(${column})`,
  weighed: readonly string[] = WEIGHED,
): string {
  return columns
    .map((column) => `${2 * weighed.indexOf(column) + 1} * ${summedUp(column)}`)
    .join(" + ");
}

function summed(columns: readonly string[]): string {
  return columns.map((column) => `sum(${column}) as ${column}`).join(", ");
}

function same(one: string, other: string, key: string): string {
  return `${one}.account_id = ${other}.account_id and ${one}.environment = ${other}.environment
    and ${one}.${key} = ${other}.${key}`;
}

/** Every column, 0 where it is not given. */
function row(given: Record<string, string>, columns: readonly string[]): string {
  return columns.map((column) => `${given[column] ?? "0"} as ${column}`).join(", ");
}

const SOLD = {
  lines: "1",
  paid: "l.price - l.discount",
  discount: "l.discount",
  tax: "l.tax",
  cost: "l.cost",
  wallet_cost: "p.cost_base + p.cost_fee",
};
/** A failed line is subtracted when it fails, because it was counted when it was sold. */
const BACK = {
  lines_back: "1",
  paid_back: "l.price - l.discount",
  discount_back: "l.discount",
  tax_back: "l.tax",
  cost_back: "l.cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
};
/** In the order of the joins, so that rows of a time are found by their time. */
const LINES = `sale_lines l @join sales s on ${same("s", "l", "sale_id")} and s.training = 0
  @join purchases p on ${same("p", "l", "transaction_id")}`;
const LINES_BACK = `transactions t @by_finish
  @join sale_lines l on ${same("l", "t", "transaction_id")}
  @join sales s on ${same("s", "l", "sale_id")} and s.training = 0
  @join purchases p on ${same("p", "l", "transaction_id")}`;
const REFUNDED = `customer_refunds b
  @join customer_refund_lines g @of_sale
    on ${same("g", "b", "customer_refund_id")} and g.sale_id = b.sale_id
  @join sale_lines l on ${same("l", "g", "transaction_id")}
  @join sales s on ${same("s", "l", "sale_id")} and s.training = 0`;

/**
 * 1 for the last line of a sale without a delivered line: lines that fail at the same moment are
 * ordered by their place in the sale.
 */
const LAST_FAILED = `case when exists (
    select 1 from sale_lines o join transactions u on ${same("u", "o", "transaction_id")}
    where ${same("o", "l", "sale_id")} and (u.status <> 'FAILED' or u.finished_at > t.finished_at
      or (u.finished_at = t.finished_at and o.position > l.position))) then 0 else 1 end`;

/** The rows to count: of a scope, within a time. */
export interface Counted {
  scope: Scope;
  from: number;
  until: number;
}

/** All rows, or those that `bind` names. */
type Which = "all" | "bound";

function during(letter: string, which: Which, at = "created_at"): string {
  return which === "all"
    ? "true"
    : `${letter}.account_id = @account and ${letter}.environment = @environment
    and ${letter}.${at} >= @from and ${letter}.${at} < @until`;
}

function failedDuring(which: Which): string {
  return `t.status = 'FAILED' and t.finished_at is not null and ${during("t", which, "finished_at")}`;
}

/** Inserts the values into a statement that counts bound rows. */
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
  by_finish: indexedBy("transactions_by_finish"),
};

/** Inserts the engine's texts and those of `wordOf` into a statement. */
function write(
  text: string,
  wordOf: (name: string) => RawBuilder<unknown> = () => sql``,
): RawBuilder<unknown> {
  const parts = text.split(/@(\w+)/);
  return sql.join(
    parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : (WORDS[part] ?? wordOf(part)))),
    sql.raw(""),
  );
}

/** Selects the sums by quarter hours of sales and receipts within a time. */
export function countQuarters(counted: Counted): RawBuilder<unknown> {
  return bind(countedQuarters("bound"), counted);
}

/** Selects the sums by UTC days and the values of a dimension. */
export function countDays(counted: Counted, dimension: Dimension): RawBuilder<unknown> {
  return bind(countedDays("bound", [dimension]), counted);
}

/** Selects the rows that `figure_quarters` should have, counted from sales and receipts. */
function countedQuarters(which: Which): string {
  const key = (at: string) =>
    `s.account_id, s.environment, s.currency, ${at} / ${QUARTER_MS} as quarter`;
  const tender = (end: string) =>
    Object.fromEntries(
      ["CASH", "CARD", "OTHER"].map((kind) => [
        kind.toLowerCase() + end,
        `case when t.kind = '${kind}' then t.amount else 0 end`,
      ]),
    );
  const first = {
    sales: "case when l.position = 0 then 1 else 0 end",
    cash_rounding: "case when l.position = 0 then s.cash_rounding else 0 end",
  };
  const counted = (at: string, given: Record<string, string>, from: string, letter: string) =>
    `select ${key(at)}, ${row(given, QUARTER_SUMS)} from ${from} where ${during(letter, which)}`;
  const sources = [
    counted("l.created_at", { ...SOLD, ...first }, LINES, "l"),
    `select ${key("t.finished_at")}, ${row({ ...BACK, sales_back: LAST_FAILED }, QUARTER_SUMS)}
      from ${LINES_BACK} where ${failedDuring(which)}`,
    counted("b.created_at", { paid_refunded: "l.price - l.discount" }, REFUNDED, "b"),
    counted(
      "b.created_at",
      { cash_rounding: "-b.cash_rounding" },
      `customer_refunds b @join sales s on ${same("s", "b", "sale_id")} and s.training = 0
        and b.cash_rounding <> 0`,
      "b",
    ),
    counted(
      "s.created_at",
      tender(""),
      `sales s @join sale_tenders t on ${same("t", "s", "sale_id")} and s.training = 0`,
      "s",
    ),
    counted(
      "b.created_at",
      tender("_back"),
      `customer_refunds b
      @join customer_refund_tenders t on ${same("t", "b", "customer_refund_id")}
      @join sales s on ${same("s", "b", "sale_id")} and s.training = 0`,
      "b",
    ),
  ];
  return `select account_id, environment, currency, quarter, ${summed(QUARTER_SUMS)},
      ${weighted(QUARTER_SUMS)} as check_sum
    from (${sources.join(" union all ")}) group by 1, 2, 3, 4`;
}

/** Selects the sums by quarter hours and tenders that the owner added. */
export function countTenders(counted: Counted): RawBuilder<unknown> {
  return bind(countedTenders("bound"), counted);
}

/** Selects the rows that `figure_tenders` should have. */
function countedTenders(which: Which): string {
  const key = (at: string) => `s.account_id, s.environment, s.currency, t.tender_id,
      ${at} / ${QUARTER_MS} as quarter`;
  const sources = [
    `select ${key("s.created_at")}, ${row({ taken: "t.amount" }, TENDER_SUMS)}
      from sales s @join sale_tenders t on ${same("t", "s", "sale_id")} and s.training = 0
      where t.tender_id <> '' and ${during("s", which)}`,
    `select ${key("b.created_at")}, ${row({ taken_back: "t.amount" }, TENDER_SUMS)}
      from customer_refunds b
      @join customer_refund_tenders t on ${same("t", "b", "customer_refund_id")}
      @join sales s on ${same("s", "b", "sale_id")} and s.training = 0
      where t.tender_id <> '' and ${during("b", which)}`,
  ];
  return `select account_id, environment, currency, tender_id, quarter, ${summed(TENDER_SUMS)},
      ${weighted(TENDER_SUMS, undefined, TENDER_SUMS)} as check_sum
    from (${sources.join(" union all ")}) group by 1, 2, 3, 4, 5`;
}

const DIMENSIONS = {
  FAMILY: "l.product_type",
  BRAND: "p.brand",
  COUNTRY: "p.country",
  CLERK: "s.staff_id",
  TILL: "s.till",
};
export type Dimension = keyof typeof DIMENSIONS;
const ALL_DIMENSIONS: readonly Dimension[] = ["FAMILY", "BRAND", "COUNTRY", "CLERK", "TILL"];

/** Selects the rows that `figure_days` should have. */
function countedDays(which: Which, dimensions = ALL_DIMENSIONS): string {
  const sources = dimensions.flatMap((dimension) => {
    const key = (at: string) => `s.account_id, s.environment, '${dimension}' as dimension,
      ${DIMENSIONS[dimension]} as value, ${at} / ${DAY_MS} as day, s.currency`;
    const sales =
      dimension === "CLERK" ? { sales: "case when l.position = 0 then 1 else 0 end" } : {};
    return [
      `select ${key("l.created_at")}, ${row({ ...SOLD, ...sales }, DAY_SUMS)} from ${LINES}
        where ${during("l", which)}`,
      `select ${key("t.finished_at")}, ${row(BACK, DAY_SUMS)} from ${LINES_BACK}
        where ${failedDuring(which)}`,
    ];
  });
  return `select account_id, environment, dimension, value, day, currency, ${summed(DAY_SUMS)},
      ${weighted(DAY_SUMS)} as check_sum
    from (${sources.join(" union all ")}) group by 1, 2, 3, 4, 5, 6`;
}

/** Recalculates the sums of a UTC day from its sales and receipts. */
export async function recountDay(tx: Tx, scope: Scope, day: number): Promise<void> {
  const counted = { scope, from: day * DAY_MS, until: (day + 1) * DAY_MS };
  const { accountId, environment } = scope;
  const quartersOfDay = DAY_MS / QUARTER_MS;
  await sql`delete from figure_quarters
    where account_id = ${accountId} and environment = ${environment}
      and quarter >= ${day * quartersOfDay} and quarter < ${(day + 1) * quartersOfDay}`.execute(tx);
  await sql`delete from figure_days
    where account_id = ${accountId} and environment = ${environment} and day = ${day}`.execute(tx);
  await sql`delete from figure_tenders
    where account_id = ${accountId} and environment = ${environment}
      and quarter >= ${day * quartersOfDay} and quarter < ${(day + 1) * quartersOfDay}`.execute(tx);
  const quarters = ["account_id", "environment", "currency", "quarter", ...QUARTER_SUMS];
  const days = ["account_id", "environment", "dimension", "value", "day", "currency", ...DAY_SUMS];
  await sql`insert into figure_quarters (${sql.raw(quarters.join(", "))}, check_sum)
    ${countQuarters(counted)}`.execute(tx);
  const tenders = ["account_id", "environment", "currency", "tender_id", "quarter", ...TENDER_SUMS];
  await sql`insert into figure_tenders (${sql.raw(tenders.join(", "))}, check_sum)
    ${countTenders(counted)}`.execute(tx);
  await sql`insert into figure_days (${sql.raw(days.join(", "))}, check_sum)
    ${bind(countedDays("bound"), counted)}`.execute(tx);
}

/** A condition on damaged rows of sums. */
export const UNSOUND = {
  figure_quarters: `check_sum <> ${weighted(QUARTER_SUMS, (column) => column)}`,
  figure_days: `check_sum <> ${weighted(DAY_SUMS, (column) => column)}`,
  figure_tenders: `check_sum <> ${weighted(TENDER_SUMS, (column) => column, TENDER_SUMS)}`,
};

/**
 * Finds the rows of sums that differ from the rows they are calculated from; each is a violation.
 */
export const FIGURE_SUM_VIOLATIONS = write(
  [
    {
      table: "figure_quarters",
      keys: ["account_id", "environment", "currency", "quarter"],
      columns: QUARTER_SUMS,
      counted: countedQuarters("all"),
    },
    {
      table: "figure_days",
      keys: ["account_id", "environment", "dimension", "value", "day", "currency"],
      columns: DAY_SUMS,
      counted: countedDays("all"),
    },
    {
      table: "figure_tenders",
      keys: ["account_id", "environment", "currency", "tender_id", "quarter"],
      columns: TENDER_SUMS,
      counted: countedTenders("all"),
    },
  ]
    .map(({ table, keys, columns, counted }) => {
      const all = [...columns, "check_sum"];
      const differs = all.map((column) => `k.${column} is distinct from c.${column}`).join(" or ");
      const name = keys
        .slice(1)
        .map((key) => `coalesce(k.${key}, c.${key})`)
        .join(" || ' ' || ");
      return `select '${table} ' || ${name} || ' is not what was sold and taken' as violation
      from (${counted}) c full join ${table} k using (${keys.join(", ")}) where ${differs}`;
    })
    .join(" union all "),
);

/** Finds every owed line that is not listed, or is listed and not owed. */
export const OWED_LINE_VIOLATIONS = `
  select coalesce(k.transaction_id, c.transaction_id)
    || case when k.transaction_id is null then ' is owed and not listed'
      else ' is listed as owed otherwise' end
    as violation
  from (select l.account_id, l.environment, l.transaction_id, l.sale_id,
      l.price - l.discount as amount, s.currency, t.finished_at as failed_at
    from transactions t join sale_lines l using (account_id, environment, transaction_id)
    join sales s on ${same("s", "l", "sale_id")} and s.training = 0
    where t.status = 'FAILED' and l.price > l.discount and not exists (
      select 1 from customer_refund_lines g where ${same("g", "l", "transaction_id")})) c
  full join owed_lines k using (account_id, environment, transaction_id)
  where k.sale_id is distinct from c.sale_id or k.amount is distinct from c.amount
    or k.currency is distinct from c.currency or k.failed_at is distinct from c.failed_at`;
