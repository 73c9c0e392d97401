import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What was paid for a recharge in the shop's money, and what the wallet's money then cost on average, in
 * smallest units for one of the wallet's: kept, so that no past figure follows a later recharge.
 */
const STATEMENTS = [
  `create table recharge_payments (
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    transaction_id text not null,
    paid integer not null check (paid > 0),
    currency text not null,
    average text not null,
    recharged_at integer not null,
    checksum integer,
    primary key (account_id, environment, transaction_id),
    foreign key (account_id, environment, transaction_id) references transactions
  ) strict`,
  `create index recharge_payments_by_time
    on recharge_payments (account_id, environment, currency, recharged_at)`,
  `create trigger recharge_payments_never_change
    before update of paid, currency, average, recharged_at on recharge_payments begin
    select raise(abort, 'what was paid for a recharge never changes');
  end`,
];

export const migration054: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
