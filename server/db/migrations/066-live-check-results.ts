import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the checks of each night find while the shop sells live, and since when. */
const STATEMENT = `create table live_check_results (
    account_id text not null references accounts,
    check_name text not null,
    passed integer not null check (passed in (0, 1)),
    stops integer not null check (stops in (0, 1)),
    figures_json text not null,
    turned_red_at integer,
    checked_at integer not null,
    primary key (account_id, check_name)
  ) strict, without rowid`;

export const migration066: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(STATEMENT).execute(db);
  },
};
