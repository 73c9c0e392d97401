import { DAY_MS, QUARTER_MS, type QuarterSum, weightOf } from "../../figure-sums.ts";
import type { BaselineWords } from "./words.ts";

/** The value that a row adds to each sum. */
type Measures = Partial<Record<QuarterSum, string>>;

const SOLD: Measures = {
  lines: "1",
  paid: "l.price - l.discount",
  discount: "l.discount",
  tax: "l.tax",
  cost: "l.cost",
  wallet_cost: "p.cost_base + p.cost_fee",
};
const FAILED: Measures = {
  lines_back: "1",
  paid_back: "l.price - l.discount",
  tax_back: "l.tax",
  cost_back: "l.cost",
  wallet_cost_back: "p.cost_base + p.cost_fee",
  discount_back: "l.discount",
};
const IS_FIRST = "case when l.position = 0 then 1 else 0 end";

const DIMENSION = `case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
      when 'COUNTRY' then p.country when 'CLERK' then s.staff_id else s.till end`;
const DIMENSIONS = `(select 'FAMILY' as dimension union all select 'BRAND' union all select 'COUNTRY'
      union all select 'CLERK' union all select 'TILL') d`;

function same(one: string, other: string, ...keys: readonly string[]): string {
  return ["account_id", "environment", ...keys]
    .map((key) => `${one}.${key} = ${other}.${key}`)
    .join(" and ");
}

/** The taken amounts by kind of tender. */
function ofTender(end: "" | "_back"): Measures {
  const amountOf = (kind: string) => `case when t.kind = '${kind}' then t.amount else 0 end`;
  return {
    [`cash${end}`]: amountOf("CASH"),
    [`card${end}`]: amountOf("CARD"),
    [`other${end}`]: amountOf("OTHER"),
  };
}

/** Adds sums, and their check, to the row of a key. `from` includes the condition. */
function addUp(
  table: string,
  keys: Readonly<Record<string, string>>,
  sums: Readonly<Record<string, string>>,
  from: string,
): string {
  const all = { account_id: "s.account_id", environment: "s.environment", ...keys };
  const names = Object.keys(sums);
  return `
    insert into ${table} (${[...Object.keys(all), ...names].join(", ")})
    select ${Object.values(all).join(", ")}, ${names.map((name) => `sum(${sums[name]})`).join(", ")}
    from ${from}
    group by ${Object.values(all).join(", ")}
    on conflict (${Object.keys(all).join(", ")}) do update set
      ${names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ")};`;
}

function withCheck(measures: Measures): Record<string, string> {
  const weighted = Object.entries(measures).map(
    ([column, text]) => `${weightOf(column as QuarterSum)} * (${text})`,
  );
  return { ...measures, check_sum: weighted.join(" + ") };
}

function addQuarter(at: string, measures: Measures, from: string): string {
  const keys = { currency: "s.currency", quarter: `${at} / ${QUARTER_MS}` };
  return addUp("figure_quarters", keys, withCheck(measures), from);
}

function addDays(at: string, measures: Measures, from: string): string {
  const day = `${at} / ${DAY_MS}`;
  const keys = { dimension: "d.dimension", value: DIMENSION, day, currency: "s.currency" };
  return addUp("figure_days", keys, withCheck(measures), from);
}

function addTenders(at: string, column: "taken" | "taken_back", from: string): string {
  const keys = {
    currency: "s.currency",
    tender_id: "t.tender_id",
    quarter: `${at} / ${QUARTER_MS}`,
  };
  const sums = { [column]: "t.amount", check_sum: `${column === "taken" ? 1 : 3} * t.amount` };
  return addUp("figure_tenders", keys, sums, from);
}

/**
 * The triggers that keep the sums of sales and payments, and the lines whose money is owed to the customer: by quarter
 * hours, into which the days of every time zone fall, and by UTC days for each family, brand, country, clerk and till.
 */
export function figureTriggers({ trigger, joinInOrder }: BaselineWords): string {
  const join = (table: string, letter: string, other: string, ...keys: readonly string[]) =>
    `${joinInOrder} ${table} ${letter} on ${same(letter, other, ...keys)}`;
  /** A new row is read first, whatever the planner knows of the tables. */
  const sold = (other: string, key: string) =>
    `${join("sales", "s", other, key)} and s.training = 0`;
  const bought = join("purchases", "p", "l", "transaction_id");
  const dimensions = `${joinInOrder} ${DIMENSIONS} on 1 = 1`;

  const line = `sale_lines l ${sold("l", "sale_id")} ${bought}`;
  const failed = `transactions t ${join("sale_lines", "l", "t", "transaction_id")} ${sold("l", "sale_id")} ${bought}`;
  const refunded = `customer_refunds b ${sold("b", "sale_id")}`;
  const isNew = (letter: string, ...keys: readonly string[]) =>
    `where ${same(letter, "new", ...keys)}`;
  const isLine = isNew("l", "sale_id", "position");
  const isFailed = isNew("t", "transaction_id");
  const owe = (where: string) => `
    insert into owed_lines
      (account_id, environment, transaction_id, sale_id, amount, currency, failed_at)
    select l.account_id, l.environment, l.transaction_id, l.sale_id, l.price - l.discount,
      s.currency, t.finished_at
    from transactions t ${join("sale_lines", "l", "t", "transaction_id")} ${sold("l", "sale_id")}
    where t.status = 'FAILED' and l.price > l.discount and ${where};`;

  return [
    trigger({
      name: "sale_lines_figures",
      event: "after insert",
      table: "sale_lines",
      body: [
        addQuarter(
          "l.created_at",
          {
            sales: IS_FIRST,
            cash_rounding: "case when l.position = 0 then s.cash_rounding else 0 end",
            ...SOLD,
          },
          `${line} ${isLine}`,
        ),
        addDays(
          "l.created_at",
          {
            sales: "case when l.position = 0 and d.dimension = 'CLERK' then 1 else 0 end",
            ...SOLD,
          },
          `${line} ${dimensions} ${isLine}`,
        ),
        // A copy of a line whose purchase has failed already.
        owe(same("t", "new", "transaction_id")),
      ].join(""),
    }),
    trigger({
      name: "sale_tenders_figures",
      event: "after insert",
      table: "sale_tenders",
      body: [
        addQuarter(
          "s.created_at",
          ofTender(""),
          `sale_tenders t ${sold("t", "sale_id")} ${isNew("t", "sale_id", "position")}`,
        ),
        addTenders(
          "s.created_at",
          "taken",
          `sale_tenders t ${sold("t", "sale_id")} ${isNew("t", "sale_id", "position")}
      and new.tender_id <> ''`,
        ),
      ].join(""),
    }),
    trigger({
      name: "customer_refunds_figures",
      event: "after insert",
      table: "customer_refunds",
      condition: "new.cash_rounding <> 0",
      body: addQuarter(
        "b.created_at",
        { cash_rounding: "-b.cash_rounding" },
        `${refunded} ${isNew("b", "customer_refund_id")}`,
      ),
    }),
    trigger({
      name: "customer_refund_lines_figures",
      event: "after insert",
      table: "customer_refund_lines",
      body: `${addQuarter(
        "b.created_at",
        { paid_refunded: "l.price - l.discount" },
        `customer_refund_lines g ${join("customer_refunds", "b", "g", "customer_refund_id")}
      ${join("sale_lines", "l", "g", "transaction_id")} ${sold("l", "sale_id")}
    ${isNew("g", "transaction_id")}`,
      )}
    delete from owed_lines where account_id = new.account_id
      and environment = new.environment and transaction_id = new.transaction_id;`,
    }),
    trigger({
      name: "customer_refund_tenders_figures",
      event: "after insert",
      table: "customer_refund_tenders",
      body: [
        addQuarter(
          "b.created_at",
          ofTender("_back"),
          `customer_refund_tenders t ${join("customer_refunds", "b", "t", "customer_refund_id")}
      ${sold("b", "sale_id")} ${isNew("t", "customer_refund_id", "kind", "tender_id")}`,
        ),
        addTenders(
          "b.created_at",
          "taken_back",
          `customer_refund_tenders t ${join("customer_refunds", "b", "t", "customer_refund_id")}
      ${sold("b", "sale_id")} ${isNew("t", "customer_refund_id", "kind", "tender_id")}
      and new.tender_id <> ''`,
        ),
      ].join(""),
    }),
    trigger({
      name: "transactions_failed_figures",
      event: "after update of finished_at",
      table: "transactions",
      condition: "new.status = 'FAILED' and old.finished_at is null and new.training = 0",
      body: [
        addQuarter("t.finished_at", FAILED, `${failed} ${isFailed}`),
        addDays("t.finished_at", FAILED, `${failed} ${dimensions} ${isFailed}`),
        addQuarter(
          "f.failed_at",
          { sales_back: "1" },
          `(select l.account_id, l.environment, l.sale_id, max(t.finished_at) as failed_at
      from sale_lines n ${join("sale_lines", "l", "n", "sale_id")}
        ${join("transactions", "t", "l", "transaction_id")}
      ${isNew("n", "transaction_id")}
      group by l.account_id, l.environment, l.sale_id
      having sum(case when t.status = 'FAILED' then 0 else 1 end) = 0) f
    ${sold("f", "sale_id")}`,
        ),
        owe(same("t", "new", "transaction_id")),
      ].join(""),
    }),
  ].join("\n\n");
}
