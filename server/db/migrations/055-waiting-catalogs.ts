import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * A catalog that was fetched and waits until an owner has read what it changes; whether each is to
 * wait; and how far the upstream's clock is from ours.
 */
const STATEMENTS = [
  "alter table upstreams add column approves_catalog integer not null default 0 check (approves_catalog in (0, 1))",
  "alter table upstreams add column clock_difference_ms integer",
  `create table waiting_catalogs (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    key_sealed text not null,
    fetched_at integer not null,
    difference_json text not null,
    content blob not null,
    primary key (account_id, environment)
  ) strict`,
];

export const migration055: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
