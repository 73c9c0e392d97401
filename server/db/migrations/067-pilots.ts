import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The first live sales of a shop, on one till and within caps; and what an owner did on the way there. */
const STATEMENTS = [
  `create table pilots (
    account_id text primary key references accounts,
    device_hash text,
    chosen_by text,
    most_per_sale integer not null check (most_per_sale > 0),
    most_per_day integer not null check (most_per_day > 0),
    covers_api integer not null check (covers_api in (0, 1)),
    started_at integer not null,
    ended_at integer
  ) strict, without rowid`,
  `create table going_live_notes (
    account_id text not null references accounts,
    note text not null,
    staff_id text not null,
    noted_at integer not null,
    detail_json text not null,
    primary key (account_id, note)
  ) strict, without rowid`,
];

export const migration067: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
