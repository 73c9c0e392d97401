import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  `create table devices (
    account_id text not null references accounts,
    device_id text not null,
    name text not null,
    key_hash text not null,
    enrolled_at integer not null,
    seen_at integer not null,
    address text not null,
    revoked_at integer,
    checksum integer,
    primary key (account_id, device_id),
    unique (key_hash)
  ) strict`,
  `create table device_codes (
    account_id text not null references accounts,
    code_hash text not null,
    name text not null,
    expires_at integer not null,
    primary key (account_id, code_hash)
  ) strict, without rowid`,
  "alter table staff_sessions add column device_id text",
];

/** Devices that were let in from the shop's network, and the codes that let them in. */
export const migration089: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
