import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const BEFORE = `account_id, wallet_currency, wallet_currency_divisor, created_at, lookup_enabled,
  idle_lock_minutes, keep_details_days, time_zone, receipt_text_json, printer_ports_json, cash_step`;

/** When the shop's day begins, minutes after midnight. No sum is kept by it: they are by quarter hours. */
const STATEMENTS = [
  `alter table accounts add column day_starts_at integer not null default 0
    check (day_starts_at between 0 and 360 and day_starts_at % 30 = 0)`,
  `update accounts set checksum = row_checksum(${BEFORE}, day_starts_at)
    where checksum is row_checksum(${BEFORE})`,
];

export const migration075: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
