import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { addTrigger, dropTrigger, whole } from "../migration-words.ts";

const WEIGHTS = {
  lines_back: 15,
  paid_back: 17,
  tax_back: 19,
  cost_back: 21,
  wallet_cost_back: 23,
  discount_back: 39,
  sales_back: 41,
  paid_refunded: 43,
};
type Column = keyof typeof WEIGHTS;
type Measures = Partial<Record<Column, string>>;

const OF_LINE: Measures = {
  lines_back: "1",
  paid_back: "l.price - l.discount",
  tax_back: "l.tax",
  cost_back: "l.cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
  discount_back: "l.discount",
};

function same(one: string, other: string, key: string): string {
  return ["account_id", "environment", key]
    .map((name) => `${one}.${name} = ${other}.${name}`)
    .join(" and ");
}

function isNew(letter: string): string {
  return ["account_id", "environment", "transaction_id"]
    .map((name) => `${letter}.${name} = new.${name}`)
    .join(" and ");
}

/** Adds measures up under a key, and all of them to the check. */
function addUp(
  table: "figure_quarters" | "figure_days",
  keys: Record<string, string>,
  measures: Measures,
  from: string,
): string {
  const columns = Object.entries(measures) as [Column, string][];
  const check = columns.map(([column, text]) => `${WEIGHTS[column]} * sum(${text})`).join(" + ");
  const names = [...columns.map(([column]) => column), "check_sum"];
  return `insert into ${table} (${[...Object.keys(keys), ...names].join(", ")})
    select ${Object.values(keys).join(", ")}, ${columns.map(([, text]) => `sum(${text})`).join(", ")}, ${check}
    from ${from}
    group by ${Object.values(keys).join(", ")}
    on conflict (${Object.keys(keys).join(", ")}) do update set
      ${names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ")};`;
}

function ofQuarter(at: string) {
  return {
    account_id: "s.account_id",
    environment: "s.environment",
    currency: "s.currency",
    quarter: `${at} / 900000`,
  };
}

const OF_DAY = {
  account_id: "s.account_id",
  environment: "s.environment",
  dimension: "d.dimension",
  value: `case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
      when 'COUNTRY' then p.country when 'CLERK' then s.staff_id else s.till end`,
  day: "t.finished_at / 86400000",
  currency: "s.currency",
};

const FAILED = `transactions t join sale_lines l on ${same("l", "t", "transaction_id")}
    join sales s on ${same("s", "l", "sale_id")} and s.training = 0
    join purchases p on ${same("p", "l", "transaction_id")}`;
const DIMENSIONS = `(select 'FAMILY' as dimension union all select 'BRAND'
    union all select 'COUNTRY' union all select 'CLERK' union all select 'TILL') d`;
const REFUNDED = `customer_refund_lines g
    join customer_refunds b on ${same("b", "g", "customer_refund_id")}
    join sale_lines l on ${same("l", "g", "transaction_id")}
    join sales s on ${same("s", "l", "sale_id")} and s.training = 0`;

/** `where` narrows down the failed lines, `sales` the sales of which nothing was delivered. */
function countFailed(where: string, sales: string): string[] {
  return [
    addUp("figure_quarters", ofQuarter("t.finished_at"), OF_LINE, `${FAILED} where ${where}`),
    addUp("figure_days", OF_DAY, OF_LINE, `${FAILED} join ${DIMENSIONS} on 1 = 1 where ${where}`),
    addUp(
      "figure_quarters",
      ofQuarter("f.failed_at"),
      { sales_back: "1" },
      `(select l.account_id, l.environment, l.sale_id, max(t.finished_at) as failed_at
        from sale_lines l join transactions t on ${same("t", "l", "transaction_id")}
        ${sales}
        group by l.account_id, l.environment, l.sale_id
        having sum(case when t.status = 'FAILED' then 0 else 1 end) = 0) f
      join sales s on ${same("s", "f", "sale_id")} and s.training = 0`,
    ),
  ];
}

function countRefunded(where: string): string {
  return addUp(
    "figure_quarters",
    ofQuarter("b.created_at"),
    { paid_refunded: "l.price - l.discount" },
    `${REFUNDED} where ${where}`,
  );
}

const BACK: readonly Column[] = [
  "lines_back",
  "paid_back",
  "tax_back",
  "cost_back",
  "wallet_cost_back",
];

/**
 * A line that was not delivered is taken off the figures when it fails, and no longer when its money is
 * handed back. Until then its money is a liability: `paid_back` less `paid_refunded`.
 */
export const migration120: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["figure_quarters", "figure_days"]) {
      const added = table === "figure_days" ? ["discount_back"] : ["discount_back", "sales_back"];
      if (table === "figure_quarters") added.push("paid_refunded");
      for (const column of added) {
        await sql`alter table ${sql.table(table)}
          add column ${sql.ref(column)} ${whole} not null default 0`.execute(db);
      }
      const check = BACK.map((column) => `${WEIGHTS[column]} * ${column}`).join(" + ");
      await sql`update ${sql.table(table)} set check_sum = check_sum - (${sql.raw(check)}),
        ${sql.raw(BACK.map((column) => `${column} = 0`).join(", "))}
        where lines_back <> 0`.execute(db);
    }
    const all = [...countFailed("t.status = 'FAILED'", ""), countRefunded("1 = 1")];
    for (const statement of all) await sql.raw(statement).execute(db);

    const refunded = { name: "customer_refund_lines_figures", table: "customer_refund_lines" };
    await dropTrigger(db, refunded);
    await addTrigger(db, {
      ...refunded,
      event: "after insert",
      body: `${countRefunded(isNew("g"))}
        delete from owed_lines where account_id = new.account_id
          and environment = new.environment and transaction_id = new.transaction_id;`,
    });
    const saleOfNew = `where l.account_id = new.account_id and l.environment = new.environment
          and l.sale_id = (select n.sale_id from sale_lines n where ${isNew("n")})`;
    await addTrigger(db, {
      name: "transactions_failed_figures",
      table: "transactions",
      event: "after update of finished_at",
      condition: "new.status = 'FAILED' and old.finished_at is null and new.training = 0",
      body: countFailed(isNew("t"), saleOfNew).join("\n"),
    });
  },
};
