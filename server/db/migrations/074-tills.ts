import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SUMS = [
  ["lines", "paid", "discount", "tax", "cost", "wallet_cost"],
  ["lines_back", "paid_back", "tax_back", "cost_back", "wallet_cost_back", "check_sum"],
].flat();
const KEYS = "account_id, environment, dimension, value, day, currency";
const COLUMNS = ["sales", ...SUMS];

/** The triggers that keep the sums of days, and whose till each counts for. */
const TRIGGERS = { sale_lines_figures: "s.till", customer_refund_lines_figures: "b.till" };

const TABLES = [
  `create table tills (
    account_id text not null references accounts,
    till_id text not null,
    number integer not null,
    name text not null,
    device_hash text not null,
    first_used_at integer not null,
    primary key (account_id, till_id),
    unique (account_id, device_hash),
    unique (account_id, number)
  ) strict, without rowid`,
  "alter table sales add column till text not null default 'BEFORE'",
  "alter table customer_refunds add column till text not null default 'BEFORE'",
];

/** The sums of days take another dimension in; what was sold before is no till's. */
const SUMS_OF_DAYS = [
  "drop index figure_days_by_day",
  "alter table figure_days rename to figure_days_before",
  `create table figure_days (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  dimension text not null check (dimension in ('FAMILY', 'BRAND', 'COUNTRY', 'CLERK', 'TILL')),
  value text not null,
  day integer not null,
  currency text not null,
  ${COLUMNS.map((column) => `${column} integer not null default 0`).join(",\n  ")},
  primary key (${KEYS})
) strict, without rowid`,
  `insert into figure_days (${KEYS}, ${COLUMNS.join(", ")})
    select ${KEYS}, ${COLUMNS.join(", ")} from figure_days_before`,
  `insert into figure_days (${KEYS}, ${SUMS.join(", ")})
    select account_id, environment, 'TILL', 'BEFORE', day, currency,
      ${SUMS.map((column) => `sum(${column})`).join(", ")}
    from figure_days_before where dimension = 'FAMILY' group by 1, 2, 5, 6`,
  "drop table figure_days_before",
  `create index figure_days_by_day
    on figure_days (account_id, environment, dimension, day, value, currency)`,
];

/**
 * Tills: the devices that sell, each with a name. A sale and a customer refund keep the one they were made
 * at, and the sums of days are kept by it too.
 */
export const migration074: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of TABLES) await sql.raw(statement).execute(db);
    const triggers: string[] = [];
    for (const [name, till] of Object.entries(TRIGGERS)) {
      triggers.push(await rewritten(db, name, till));
      await sql.raw(`drop trigger ${name}`).execute(db);
    }
    for (const statement of [...SUMS_OF_DAYS, ...triggers]) await sql.raw(statement).execute(db);
  },
};

/** A trigger that counts for tills too. */
async function rewritten(db: Kysely<unknown>, name: string, till: string): Promise<string> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where type = 'trigger' and name = ${name}`.execute(db);
  const before = rows[0]?.sql ?? "";
  const text = before
    .replaceAll("union all select 'CLERK')", "union all select 'CLERK' union all select 'TILL')")
    .replaceAll("else s.staff_id end", `when 'CLERK' then s.staff_id else ${till} end`);
  if (text === before) throw new Error(`${name} is not the trigger that is known`);
  return text;
}
