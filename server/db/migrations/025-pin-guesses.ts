import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Wrong PINs by where they were typed, and the devices that each person has signed in at. */
const STATEMENTS = [
  "alter table staff add column signed_in_at integer",

  `create table staff_devices (
    account_id text not null,
    staff_id text not null,
    device_hash text not null,
    used_at integer not null,
    failed_attempts integer not null default 0,
    locked_until integer,
    primary key (account_id, staff_id, device_hash),
    foreign key (account_id, staff_id) references staff
  ) strict, without rowid`,
  // Whether a browser's cookie was made here, whoever used it.
  "create index staff_devices_by_device on staff_devices (account_id, device_hash)",

  `create table pin_guesses (
    guess_id integer primary key,
    account_id text not null,
    staff_id text not null,
    device_hash text,
    source text not null,
    guessed_at integer not null,
    foreign key (account_id, staff_id) references staff
  ) strict`,
  "create index pin_guesses_of_staff on pin_guesses (account_id, staff_id, device_hash, guessed_at)",
  // Of strangers only: what is counted over all names.
  `create index pin_guesses_of_source on pin_guesses (account_id, source, guessed_at)
    where device_hash is null`,
  `create index pin_guesses_of_strangers on pin_guesses (account_id, guessed_at)
    where device_hash is null`,
  "create index pin_guesses_by_age on pin_guesses (guessed_at)",
];

export const migration025: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
