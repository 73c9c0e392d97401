import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What a customer redeems, apart from the rest of what the provider handed over, and encrypted. The
 * key is not the database's, so what lies there in clear (CLEAR) is encrypted once the gateway runs.
 */
const STATEMENTS = [
  "alter table purchases add column slip_sealed text",
  `alter table purchases add column slip_state text
    check (slip_state in ('CLEAR', 'SEALED', 'ERASED'))`,
  "alter table purchases add column slip_at integer",
  `update purchases set slip_state = 'CLEAR', slip_at = (
      select t.finished_at from transactions t
      where t.account_id = purchases.account_id and t.environment = purchases.environment
        and t.transaction_id = purchases.transaction_id)
    where json_extract(fulfilment_json, '$.receipt') is not null
      or json_extract(fulfilment_json, '$.esim') is not null`,
  `create index purchases_slips on purchases (slip_state, slip_at)
    where slip_state is not null`,
  `create index webhook_deliveries_clear on webhook_deliveries (sequence)
    where substr(body, 1, 1) = '{'`,
  "alter table accounts add column keep_slips_days integer not null default 90",
];

export const migration024: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
