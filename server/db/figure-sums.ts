/**
 * The sums of `figure_quarters` and `figure_days`, which triggers keep: what they are checked with, and
 * how they are counted anew (rules#figure-sums-kept).
 */
const DAY_SUMS = [
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
] as const;

const MONEY_SUMS = [
  "cash_rounding",
  "cash",
  "card",
  "other",
  "cash_back",
  "card_back",
  "other_back",
] as const;
const QUARTER_SUMS = [...DAY_SUMS, ...MONEY_SUMS] as const;

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

function weighted(columns: readonly string[]): string {
  return columns.map((column, index) => `${2 * index + 1} * sum(${column})`).join(" + ");
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
const BACK = {
  lines_back: "1",
  paid_back: "l.price - l.discount",
  tax_back: "l.tax",
  cost_back: "l.cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
};
const LINES = `sale_lines l join sales s on ${same("s", "l", "sale_id")} and s.training = 0
  join purchases p on ${same("p", "l", "transaction_id")}`;
const LINES_BACK = `customer_refunds b
  join customer_refund_lines g on ${same("g", "b", "customer_refund_id")} and g.sale_id = b.sale_id
  join sale_lines l on ${same("l", "g", "transaction_id")}
  join sales s on ${same("s", "l", "sale_id")} and s.training = 0
  join purchases p on ${same("p", "l", "transaction_id")}`;

/** The rows that `figure_quarters` should have, counted from what was sold and taken. */
function countedQuarters(): string {
  const key = (at: string) =>
    `s.account_id, s.environment, s.currency, ${at} / ${QUARTER_MS} as quarter`;
  const tender = (end: string) =>
    Object.fromEntries(
      ["CASH", "CARD", "OTHER"].map((kind) => [
        kind.toLowerCase() + end,
        `iif(t.kind = '${kind}', t.amount, 0)`,
      ]),
    );
  const first = {
    sales: "l.position = 0",
    cash_rounding: "iif(l.position = 0, s.cash_rounding, 0)",
  };
  const counted = (at: string, given: Record<string, string>, from: string) =>
    `select ${key(at)}, ${row(given, QUARTER_SUMS)} from ${from}`;
  const sources = [
    counted("l.created_at", { ...SOLD, ...first }, LINES),
    counted("b.created_at", BACK, LINES_BACK),
    counted(
      "s.created_at",
      tender(""),
      `sales s join sale_tenders t on ${same("t", "s", "sale_id")} and s.training = 0`,
    ),
    counted(
      "b.created_at",
      tender("_back"),
      `customer_refunds b
      join customer_refund_tenders t on ${same("t", "b", "customer_refund_id")}
      join sales s on ${same("s", "b", "sale_id")} and s.training = 0`,
    ),
  ];
  return `select account_id, environment, currency, quarter, ${summed(QUARTER_SUMS)},
      ${weighted(QUARTER_SUMS)} as check_sum
    from (${sources.join(" union all ")}) group by 1, 2, 3, 4`;
}

/** The rows that `figure_days` should have. */
function countedDays(): string {
  const dimensions: Record<string, string> = {
    FAMILY: "l.product_type",
    BRAND: "p.brand",
    COUNTRY: "p.country",
    CLERK: "s.staff_id",
  };
  const sources = Object.entries(dimensions).flatMap(([dimension, value]) => {
    const key = (at: string) => `s.account_id, s.environment, '${dimension}' as dimension,
      ${value} as value, ${at} / ${DAY_MS} as day, s.currency`;
    const sales = dimension === "CLERK" ? { sales: "l.position = 0" } : {};
    return [
      `select ${key("l.created_at")}, ${row({ ...SOLD, ...sales }, DAY_SUMS)} from ${LINES}`,
      `select ${key("b.created_at")}, ${row(BACK, DAY_SUMS)} from ${LINES_BACK}`,
    ];
  });
  return `select account_id, environment, dimension, value, day, currency, ${summed(DAY_SUMS)},
      ${weighted(DAY_SUMS)} as check_sum
    from (${sources.join(" union all ")}) group by 1, 2, 3, 4, 5, 6`;
}

/** A violation for every row of sums that is not what the rows come to. */
export const FIGURE_SUM_VIOLATIONS = [
  {
    table: "figure_quarters",
    keys: ["account_id", "environment", "currency", "quarter"],
    columns: QUARTER_SUMS,
    counted: countedQuarters(),
  },
  {
    table: "figure_days",
    keys: ["account_id", "environment", "dimension", "value", "day", "currency"],
    columns: DAY_SUMS,
    counted: countedDays(),
  },
]
  .map(({ table, keys, columns, counted }) => {
    const all = [...columns, "check_sum"];
    const differs = all.map((column) => `k.${column} is not c.${column}`).join(" or ");
    const name = keys
      .slice(1)
      .map((key) => `coalesce(k.${key}, c.${key})`)
      .join(" || ' ' || ");
    return `select '${table} ' || ${name} || ' is not what was sold and taken' as violation
      from (${counted}) c full join ${table} k using (${keys.join(", ")}) where ${differs}`;
  })
  .join(" union all ");

/** A violation for every owed line that is not listed, or is listed and not owed. */
export const OWED_LINE_VIOLATIONS = `
  select coalesce(k.transaction_id, c.transaction_id)
    || iif(k.transaction_id is null, ' is owed and not listed', ' is listed as owed otherwise')
    as violation
  from (select l.account_id, l.environment, l.transaction_id, l.sale_id,
      l.price - l.discount as amount, s.currency, t.finished_at as failed_at
    from transactions t join sale_lines l using (account_id, environment, transaction_id)
    join sales s on ${same("s", "l", "sale_id")} and s.training = 0
    where t.status = 'FAILED' and l.price > l.discount and not exists (
      select 1 from customer_refund_lines g where ${same("g", "l", "transaction_id")})) c
  full join owed_lines k using (account_id, environment, transaction_id)
  where k.sale_id is not c.sale_id or k.amount is not c.amount or k.currency is not c.currency
    or k.failed_at is not c.failed_at`;
