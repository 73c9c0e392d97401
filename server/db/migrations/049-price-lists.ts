import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live'))`;

/**
 * Price lists by version: one that was saved never changes. What rules that allow a loss have lost is
 * counted beside them.
 */
const STATEMENTS = [
  `create table price_lists (
    ${SCOPE},
    version integer not null check (version > 0),
    list_json text not null,
    starts_at integer not null,
    saved_at integer not null,
    staff_id text,
    note text not null,
    checksum integer,
    primary key (account_id, environment, version)
  ) strict`,
  `create trigger price_lists_never_change before update of list_json, starts_at, saved_at, staff_id, note
    on price_lists begin
    select raise(abort, 'a saved price list never changes');
  end`,
  `create table price_losses (
    ${SCOPE},
    rule_id text not null,
    lost integer not null check (lost >= 0),
    checksum integer,
    primary key (account_id, environment, rule_id)
  ) strict`,
];

export const migration049: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
