import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    generation integer not null`;

/** What each table has beside its scope and generation. */
const COLUMNS = {
  brands: "brand, brand_name, detail_json, checksum",
  offers: "offer_id, product_type, brand, country, offer_json, created_at, updated_at, checksum",
  promos: "promo_id, promo_json, created_at, checksum",
};

/** What is there already is the first generation. */
const COPIES = Object.entries(COLUMNS).map(
  ([
    table,
    columns,
  ]) => `insert into ${table}_made_anew (account_id, environment, generation, ${columns})
    select account_id, environment, 1, ${columns} from ${table}`,
);

/**
 * A catalog is written beside the one in force, as another generation of its rows, and put in force by
 * one number. Generations that are not in force are listed, each with the import that writes it or, to
 * be deleted, with none.
 */
const STATEMENTS = [
  "alter table catalogs add column generation integer not null default 1",
  `create table catalog_generations (
    ${SCOPE},
    import_id text,
    primary key (account_id, environment, generation)
  ) strict`,
  `create table brands_made_anew (
    ${SCOPE},
    brand text not null,
    brand_name text not null,
    detail_json text not null,
    checksum integer,
    primary key (account_id, environment, generation, brand)
  ) strict`,
  `create table offers_made_anew (
    ${SCOPE},
    offer_id text not null,
    product_type text not null,
    brand text not null,
    country text not null,
    offer_json text not null,
    created_at integer not null,
    updated_at integer not null,
    checksum integer,
    primary key (account_id, environment, generation, offer_id),
    foreign key (account_id, environment, generation, brand) references brands_made_anew
  ) strict`,
  `create table promos_made_anew (
    ${SCOPE},
    promo_id text not null,
    promo_json text not null,
    created_at integer not null,
    checksum integer,
    primary key (account_id, environment, generation, promo_id)
  ) strict`,
  ...COPIES,
  ...["offers", "promos", "brands"].map((table) => `drop table ${table}`),
  ...["brands", "offers", "promos"].map(
    (table) => `alter table ${table}_made_anew rename to ${table}`,
  ),
  "create index offers_by_brand on offers (account_id, environment, generation, brand)",
];

export const migration058: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
