import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const KEY = "account_id, environment, state, endpoint_id";

/** Counts a row more, or one less. */
function count(row: "new" | "old", by: 1 | -1): string {
  return `insert into webhook_delivery_counts (${KEY}, deliveries)
    values (${row}.account_id, ${row}.environment, ${row}.state, ${row}.endpoint_id, ${by})
    on conflict (${KEY}) do update set deliveries = deliveries + ${by};`;
}

/**
 * How many deliveries of each endpoint are in each state: kept with each write of one, so that nobody
 * counts all that was sent in three months.
 */
const STATEMENTS = [
  `create table webhook_delivery_counts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  endpoint_id text not null,
  deliveries integer not null,
  primary key (${KEY})
) strict, without rowid`,

  `insert into webhook_delivery_counts select ${KEY}, count(*) from webhook_deliveries group by ${KEY}`,

  `create trigger webhook_deliveries_counted_insert after insert on webhook_deliveries
  begin ${count("new", 1)} end`,

  `create trigger webhook_deliveries_counted_state after update of state on webhook_deliveries
  when old.state <> new.state
  begin ${count("old", -1)} ${count("new", 1)} end`,

  `create trigger webhook_deliveries_counted_delete after delete on webhook_deliveries
  begin ${count("old", -1)} end`,
];

export const migration076: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
