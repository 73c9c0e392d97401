import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { makeAppendOnly, tableEnd, whole } from "../migration-words.ts";

/** Cash taken from the safe to the bank, and back; shifts are added up by when they were opened. */
export const migration122: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table cash_deposits (
        account_id text not null references accounts,
        environment text not null check (environment in ('test', 'live')),
        deposit_id text not null,
        kind text not null check (kind in ('DEPOSIT', 'WITHDRAWAL')),
        amount ${whole} not null check (amount > 0),
        currency text not null,
        reference text not null,
        staff_id text not null,
        recorded_at ${whole} not null,
        primary key (account_id, environment, deposit_id),
        foreign key (account_id, staff_id) references staff
      ) ${tableEnd}`.execute(db);
    await makeAppendOnly(db, "cash_deposits");
    await sql`create index cash_deposits_by_time
      on cash_deposits (account_id, environment, recorded_at)`.execute(db);
    await sql`create index shifts_by_opening
      on shifts (account_id, opened_at, environment)`.execute(db);
  },
};
