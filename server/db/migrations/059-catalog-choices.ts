import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live'))`;

/**
 * What an owner chooses of a catalog stands beside it and outlives every import: which offers are
 * switched off, and which the counter shows first. What imports and syncs did is kept for some time.
 */
const STATEMENTS = [
  "alter table catalogs add column choices integer not null default 0",
  `create table offer_switches (
    ${SCOPE},
    sequence integer not null check (sequence > 0),
    target_json text not null,
    enabled integer not null check (enabled in (0, 1)),
    offers integer not null,
    staff_id text,
    switched_at integer not null,
    undone_at integer,
    primary key (account_id, environment, sequence)
  ) strict`,
  `create index offer_switches_in_force on offer_switches (account_id, environment, sequence)
    where undone_at is null`,
  `create table pinned_offers (
    ${SCOPE},
    product_type text not null,
    position integer not null,
    offer_id text not null,
    primary key (account_id, environment, product_type, position)
  ) strict`,
  `create table catalog_updates (
    ${SCOPE},
    sequence integer not null,
    at integer not null,
    action text not null,
    source text not null,
    staff_id text,
    version integer,
    added integer not null,
    changed integer not null,
    removed integer not null,
    failure text,
    primary key (account_id, environment, sequence)
  ) strict`,
];

export const migration059: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
