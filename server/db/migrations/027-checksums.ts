import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the checksum of a row is of. */
const COLUMNS = {
  offers: "account_id, environment, offer_id, product_type, brand, country, offer_json",
  brands: "account_id, environment, brand, brand_name, detail_json",
  promos: "account_id, environment, promo_id, promo_json",
  transactions: `account_id, environment, transaction_id, type, product_type, amount, currency,
    currency_divisor, created_at, training`,
  purchases: `account_id, environment, transaction_id, offer_id, brand, brand_name, country,
    recipient, cost_base, cost_fee, price_base, price_fee, price_currency,
    price_currency_divisor, send, send_currency, send_currency_divisor, value_type,
    value, offer_json, input_json, fulfilment_json`,
  sales: `account_id, environment, sale_id, sale_number, staff_id, approved_by, currency,
    currency_divisor, total, discount, request_hash, created_at, shift_id,
    training`,
  sale_lines: `account_id, environment, sale_id, position, transaction_id, product_type,
    recipient, price, discount, created_at`,
};

/**
 * What a disk changes inside a value is found out: rows that money and fulfilment depend on carry a
 * checksum. Those that are there are believed as they are. And what a start has found.
 */
const STATEMENTS = [
  ...Object.entries(COLUMNS).flatMap(([table, columns]) => [
    `alter table ${table} add column checksum integer`,
    `update ${table} set checksum = row_checksum(${columns})`,
  ]),
  `create table storage_findings (
    finding_id integer primary key autoincrement,
    kind text not null check (kind in ('BOOKS', 'MISSING')),
    found_at integer not null,
    detail_json text not null,
    settled_at integer
  ) strict`,
  "create unique index storage_findings_open on storage_findings (kind) where settled_at is null",
];

export const migration027: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
