import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const BEFORE = `account_id, wallet_currency, wallet_currency_divisor, created_at, lookup_enabled,
  idle_lock_minutes, keep_details_days, time_zone, receipt_text_json, printer_ports_json, cash_step,
  day_starts_at, tenders_json`;

/** When customers confirm their number before it is paid, and of which lines they did. */
const STATEMENTS = [
  `alter table accounts add column confirm_number text not null default 'NEVER'
    check (confirm_number in ('NEVER', 'NEW', 'ALWAYS'))`,
  `update accounts set checksum = row_checksum(${BEFORE}, confirm_number)
    where checksum is row_checksum(${BEFORE})`,
  `create table number_checks (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    sale_id text not null,
    transaction_id text not null,
    checked_by text not null check (checked_by in ('CUSTOMER', 'CLERK')),
    primary key (account_id, environment, sale_id, transaction_id)
  ) strict, without rowid`,
];

export const migration088: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
