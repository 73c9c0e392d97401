import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/** The part of a rule's loss budget that each purchase below its cost took. It is given back where the purchase fails. */
export const migration142: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table purchase_losses (
        account_id text not null references accounts,
        environment text not null check (environment in ('test', 'live')),
        transaction_id text not null,
        rule_id text not null,
        lost ${whole} not null check (lost > 0),
        primary key (account_id, environment, transaction_id)
      ) ${tableEnd}`.execute(db);
  },
};
