import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const BEFORE = `account_id, wallet_currency, wallet_currency_divisor, created_at, lookup_enabled,
  idle_lock_minutes, keep_details_days, time_zone, receipt_text_json, printer_ports_json`;

/** The place of `cash_rounding` among the columns of sums, as it counts in their check. */
const WEIGHT = 25;
const QUARTER_MS = 900_000;

/**
 * What cash is rounded to in the shop, and was in each sale; and the rounding of a sale that goes back with
 * its customer refunds, which is taken off the sums of its quarter hour. Shops of before round nothing.
 */
const STATEMENTS = [
  `alter table accounts add column cash_step integer not null default 0
    check (cash_step between 0 and 100000)`,
  `update accounts set checksum = row_checksum(${BEFORE}, cash_step)
    where checksum is row_checksum(${BEFORE})`,
  "alter table sales add column cash_step integer not null default 0 check (cash_step >= 0)",
  "alter table customer_refunds add column cash_rounding integer not null default 0",

  `create trigger customer_refunds_figures after insert on customer_refunds
  when new.cash_rounding <> 0
  begin
    insert into figure_quarters
      (account_id, environment, currency, quarter, cash_rounding, check_sum)
    select s.account_id, s.environment, s.currency, new.created_at / ${QUARTER_MS},
      -new.cash_rounding, ${WEIGHT} * -new.cash_rounding
    from sales s where s.account_id = new.account_id and s.environment = new.environment
      and s.sale_id = new.sale_id and s.training = 0
    on conflict do update set cash_rounding = cash_rounding + excluded.cash_rounding,
      check_sum = check_sum + excluded.check_sum;
  end`,
];

export const migration053: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
