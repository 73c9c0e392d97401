import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const BEFORE = `account_id, wallet_currency, wallet_currency_divisor, created_at, lookup_enabled,
  idle_lock_minutes, keep_details_days, time_zone, receipt_text_json, printer_ports_json, cash_step,
  day_starts_at`;
const BULK_BEFORE = `account_id, environment, run_id, name, staff_id, state, digest, tender, reference,
  created_at, confirmed_at, ended_at`;
const BULK_AFTER = BULK_BEFORE.replace("reference,", "reference, tender_id,");

const QUARTER_MS = 900_000;
const KEY = "account_id, environment, currency, tender_id, quarter";

/** Adds a tender with a name to its quarter hour: `own` is the column, `weight` what it counts by. */
function addUp(own: "taken" | "taken_back", weight: number, at: string, from: string): string {
  return `insert into figure_tenders (${KEY}, ${own}, check_sum)
    select s.account_id, s.environment, s.currency, new.tender_id, ${at} / ${QUARTER_MS}, new.amount,
      ${weight} * new.amount
    from ${from} and s.training = 0
    on conflict (${KEY}) do update set ${own} = ${own} + excluded.${own},
      check_sum = check_sum + excluded.check_sum;`;
}

const SALE = `sales s where s.account_id = new.account_id and s.environment = new.environment
      and s.sale_id = new.sale_id`;
const REFUND = `customer_refunds b cross join sales s on s.account_id = b.account_id
      and s.environment = b.environment and s.sale_id = b.sale_id
    where b.account_id = new.account_id and b.environment = new.environment
      and b.customer_refund_id = new.customer_refund_id`;

/** The tenders of customer refunds may be several of a kind: their key takes the tender in. */
const REFUND_TENDERS = [
  "alter table customer_refund_tenders rename to customer_refund_tenders_before",
  `create table customer_refund_tenders (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  customer_refund_id text not null,
  kind text not null check (kind in ('CASH', 'CARD', 'OTHER')),
  tender_id text not null default '',
  tender_name text not null default '',
  amount integer not null check (amount > 0),
  primary key (account_id, environment, customer_refund_id, kind, tender_id),
  foreign key (account_id, environment, customer_refund_id) references customer_refunds
) strict, without rowid`,
  `insert into customer_refund_tenders (account_id, environment, customer_refund_id, kind, amount)
    select account_id, environment, customer_refund_id, kind, amount
    from customer_refund_tenders_before`,
  "drop table customer_refund_tenders_before",
];

/**
 * Tenders that an owner names. A tender of a sale or a customer refund without an id is the first of its
 * kind, and one without a name is called by the program's word: so is all that was sold before. Sums are
 * kept of those with an id; what they leave of their kind is that first one's.
 */
const STATEMENTS = [
  `alter table accounts add column tenders_json text not null
    default '{"revision":0,"list":[]}'`,
  `update accounts set checksum = row_checksum(${BEFORE}, tenders_json)
    where checksum is row_checksum(${BEFORE})`,
  "alter table sale_tenders add column tender_id text not null default ''",
  "alter table sale_tenders add column tender_name text not null default ''",
  "alter table bulk_runs add column tender_id text not null default ''",
  `update bulk_runs set checksum = row_checksum(${BULK_AFTER})
    where checksum is row_checksum(${BULK_BEFORE})`,
  `create table figure_tenders (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  currency text not null,
  tender_id text not null,
  quarter integer not null,
  taken integer not null default 0,
  taken_back integer not null default 0,
  check_sum integer not null default 0,
  primary key (${KEY})
) strict, without rowid`,
  `create trigger sale_tenders_named after insert on sale_tenders when new.tender_id <> ''
  begin ${addUp("taken", 1, "s.created_at", SALE)} end`,
  `create trigger customer_refund_tenders_named after insert on customer_refund_tenders
  when new.tender_id <> ''
  begin ${addUp("taken_back", 3, "b.created_at", REFUND)} end`,
];

export const migration077: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const triggers = await takeTriggers(db);
    for (const statement of [...REFUND_TENDERS, ...triggers, ...STATEMENTS]) {
      await sql.raw(statement).execute(db);
    }
  },
};

/** Drops the triggers of customer refunds' tenders and answers how they are made again. */
async function takeTriggers(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master
    where type = 'trigger' and tbl_name = 'customer_refund_tenders' order by name`.execute(db);
  const before = "t.kind = new.kind";
  for (const { name } of rows) await sql.raw(`drop trigger ${name}`).execute(db);
  if (!rows.some((row) => row.sql.includes(before))) {
    throw new Error("no trigger is as it is known");
  }
  return rows.map((row) => row.sql.replace(before, `${before} and t.tender_id = new.tender_id`));
}
