import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { makeAppendOnly, tableEnd } from "../migration-words.ts";

/** Recharges that were booked by mistake and taken back, each once, with the reason. */
export const migration121: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table recharge_reversals (
        account_id text not null,
        environment text not null check (environment in ('test', 'live')),
        transaction_id text not null,
        reversed_transaction_id text not null,
        reason text not null check (reason <> ''),
        staff_id text not null,
        primary key (account_id, environment, transaction_id),
        unique (account_id, environment, reversed_transaction_id),
        foreign key (account_id, environment, transaction_id) references transactions,
        foreign key (account_id, environment, reversed_transaction_id) references transactions,
        foreign key (account_id, staff_id) references staff
      ) ${tableEnd}`.execute(db);
    await makeAppendOnly(db, "recharge_reversals");
  },
};
