import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What is summed up of a line that was sold; `l` the line, `s` its sale, `p` its purchase. */
const OF_LINE = {
  lines: "1",
  paid: "l.price - l.discount",
  discount: "l.discount",
  tax: "l.tax",
  cost: "l.cost",
  wallet_cost: "p.cost_base + p.cost_fee",
};
/** The same of a line whose money was handed back. */
const OF_LINE_BACK = {
  lines_back: "1",
  paid_back: "l.price - l.discount",
  tax_back: "l.tax",
  cost_back: "l.cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
};
/** Of a sale, counted with its first line. */
const OF_SALE = { sales: "(l.position = 0)" };
const OF_FIRST_LINE = { cash_rounding: "iif(l.position = 0, s.cash_rounding, 0)" };

function kinds(end: string): Measures {
  return Object.fromEntries(
    ["CASH", "CARD", "OTHER"].map((kind) => [
      `${kind.toLowerCase()}${end}`,
      `iif(t.kind = '${kind}', t.amount, 0)`,
    ]),
  );
}

/** Every column of sums, with its weight in the check: Σ weight × column = check_sum. */
const WEIGHTS: Record<string, number> = Object.fromEntries(
  [
    ["sales", "lines", "paid", "discount", "tax", "cost", "wallet_cost"],
    ["lines_back", "paid_back", "tax_back", "cost_back", "wallet_cost_back"],
    ["cash_rounding", "cash", "card", "other", "cash_back", "card_back", "other_back"],
  ]
    .flat()
    .map((column, index) => [column, 2 * index + 1]),
);
const MONEY = ["cash_rounding", "cash", "card", "other", "cash_back", "card_back", "other_back"];
const COLUMNS = Object.keys(WEIGHTS);
const OF_DAYS = COLUMNS.filter((column) => !MONEY.includes(column));

function columnsOf(columns: readonly string[]): string {
  return [...columns, "check_sum"]
    .map((column) => `${column} integer not null default 0`)
    .join(",\n  ");
}

type Measures = Record<string, string>;

/** Adds rows up under a key: each measure to its column, and all of them to the check. */
function addUp(table: string, keys: Measures, measures: Measures, from: string): string {
  const columns = Object.keys(measures);
  const check = columns
    .map((column) => `${WEIGHTS[column]} * sum(${measures[column]})`)
    .join(" + ");
  const values = [...Object.values(keys), ...columns.map((column) => `sum(${measures[column]})`)];
  const added = [...columns, "check_sum"].map(
    (column) => `${column} = ${column} + excluded.${column}`,
  );
  return `insert into ${table} (${[...Object.keys(keys), ...columns, "check_sum"].join(", ")})
    select ${values.join(", ")}, ${check} from ${from}
    group by ${Object.values(keys).join(", ")}
    on conflict do update set ${added.join(", ")}`;
}

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
const SCOPE = { account_id: "s.account_id", environment: "s.environment" };

function ofQuarter(at: string): Measures {
  return { ...SCOPE, currency: "s.currency", quarter: `${at} / ${QUARTER_MS}` };
}

function ofDay(at: string): Measures {
  return {
    ...SCOPE,
    dimension: "d.dimension",
    value: `case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
        when 'COUNTRY' then p.country else s.staff_id end`,
    day: `${at} / ${DAY_MS}`,
    currency: "s.currency",
  };
}

const DIMENSIONS = `(select 'FAMILY' as dimension union all select 'BRAND'
      union all select 'COUNTRY' union all select 'CLERK') d`;
function same(one: string, other: string, key: string): string {
  return ["account_id", "environment", key]
    .map((name) => `${one}.${name} = ${other}.${name}`)
    .join(" and ");
}

/** In the order of the joins, so that a new row is the first to be looked at. */
const LINES = `sale_lines l cross join sales s on ${same("s", "l", "sale_id")} and s.training = 0
      cross join purchases p on ${same("p", "l", "transaction_id")}`;
const TENDERS = `sale_tenders t cross join sales s on ${same("s", "t", "sale_id")} and s.training = 0`;
const LINES_BACK = `customer_refund_lines g cross join customer_refunds b on ${same("b", "g", "customer_refund_id")}
      cross join sale_lines l on ${same("l", "g", "transaction_id")}
      cross join sales s on ${same("s", "l", "sale_id")} and s.training = 0
      cross join purchases p on ${same("p", "l", "transaction_id")}`;
const TENDERS_BACK = `customer_refund_tenders t
      cross join customer_refunds b on ${same("b", "t", "customer_refund_id")}
      cross join sales s on ${same("s", "b", "sale_id")} and s.training = 0`;

/** What each table is counted from, into which sums. `where` narrows it down to a new row. */
const COUNTED: Record<string, (where: string) => string[]> = {
  sale_lines: (where) => [
    addUp(
      "figure_quarters",
      ofQuarter("l.created_at"),
      { ...OF_SALE, ...OF_FIRST_LINE, ...OF_LINE },
      LINES + where,
    ),
    addUp(
      "figure_days",
      ofDay("l.created_at"),
      { sales: "(l.position = 0 and d.dimension = 'CLERK')", ...OF_LINE },
      `${LINES} join ${DIMENSIONS}${where}`,
    ),
  ],
  sale_tenders: (where) => [
    addUp("figure_quarters", ofQuarter("s.created_at"), kinds(""), TENDERS + where),
  ],
  customer_refund_lines: (where) => [
    addUp("figure_quarters", ofQuarter("b.created_at"), OF_LINE_BACK, LINES_BACK + where),
    addUp(
      "figure_days",
      ofDay("b.created_at"),
      OF_LINE_BACK,
      `${LINES_BACK} join ${DIMENSIONS}${where}`,
    ),
  ],
  customer_refund_tenders: (where) => [
    addUp("figure_quarters", ofQuarter("b.created_at"), kinds("_back"), TENDERS_BACK + where),
  ],
};

/** The new row by its key: of a table with which letter, by which columns. */
const KEYS: Record<string, [letter: string, columns: string[]]> = {
  sale_lines: ["l", ["sale_id", "position"]],
  sale_tenders: ["t", ["sale_id", "position"]],
  customer_refund_lines: ["g", ["transaction_id"]],
  customer_refund_tenders: ["t", ["customer_refund_id", "kind"]],
};

const OWED = `insert into owed_lines
    select l.account_id, l.environment, l.transaction_id, l.sale_id, l.price - l.discount,
      s.currency, t.finished_at
    from transactions t join sale_lines l on ${same("l", "t", "transaction_id")}
    join sales s on ${same("s", "l", "sale_id")} and s.training = 0
    where t.status = 'FAILED' and l.price > l.discount`;

function triggerOf(table: string): string {
  const [letter, columns] = KEYS[table] ?? ["", []];
  const isNew = ["account_id", "environment", ...columns]
    .map((column) => `${letter}.${column} = new.${column}`)
    .join(" and ");
  const counted = COUNTED[table]?.(` where ${isNew}`) ?? [];
  const line = "l.account_id = new.account_id and l.environment = new.environment";
  const also: Record<string, string> = {
    // A copy of a line whose purchase has failed already.
    sale_lines: `; ${OWED} and ${line} and l.transaction_id = new.transaction_id`,
    customer_refund_lines: `; delete from owed_lines where account_id = new.account_id
      and environment = new.environment and transaction_id = new.transaction_id`,
  };
  return `create trigger ${table}_figures after insert on ${table}
  begin ${counted.join(";\n  ")}${also[table] ?? ""}; end`;
}

/**
 * Sums of what was sold and taken, kept by the transactions that write it: all of it by quarter hours,
 * into which every zone's days fall, and by UTC days for each family, brand, country and clerk. And the
 * lines whose money is owed to the customer.
 */
const STATEMENTS = [
  `create table figure_quarters (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  currency text not null,
  quarter integer not null,
  ${columnsOf(COLUMNS)},
  primary key (account_id, environment, currency, quarter)
) strict, without rowid`,

  `create table figure_days (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  dimension text not null check (dimension in ('FAMILY', 'BRAND', 'COUNTRY', 'CLERK')),
  value text not null,
  day integer not null,
  currency text not null,
  ${columnsOf(OF_DAYS)},
  primary key (account_id, environment, dimension, value, day, currency)
) strict, without rowid`,

  `create index figure_days_by_day
    on figure_days (account_id, environment, dimension, day, value, currency)`,

  `create table owed_lines (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  sale_id text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  failed_at integer not null,
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, sale_id) references sales
) strict, without rowid`,

  ...Object.values(COUNTED).flatMap((statementsFor) => statementsFor(" where true")),

  `${OWED} and not exists (select 1 from customer_refund_lines g
      where ${same("g", "l", "transaction_id")})`,

  ...Object.keys(COUNTED).map(triggerOf),

  `create trigger transactions_owed after update of finished_at on transactions
  when new.status = 'FAILED' and old.finished_at is null and new.training = 0
  begin ${OWED} and t.account_id = new.account_id and t.environment = new.environment
    and t.transaction_id = new.transaction_id; end`,
];

export const migration048: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
