import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/**
 * Deviations of providers' answers, and whether a purchase may be booked although its last attempt failed.
 * Unfinished purchases of an earlier version get the doubt that follows from their attempts.
 */
export const migration110: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table purchases add column doubt text not null default 'NONE'
      check (doubt in ('NONE', 'LOST', 'ACCEPTED', 'BOOKED'))`.execute(db);
    await sql`alter table purchases add column deviations_json text`.execute(db);
    await sql`alter table purchases add column answer_sealed text`.execute(db);
    await sql`alter table purchases add column answer_at ${whole}`.execute(db);
    await sql`create index purchases_deviating_answers on purchases (account_id, answer_at)
      where answer_sealed is not null`.execute(db);
    await sql`
      update purchases
      set doubt = case when attempt_state = 'WORKING' then 'ACCEPTED' else 'LOST' end
      where (attempt_state in ('SENT', 'WORKING') or attempts > 1)
        and exists (
          select 1 from transactions t
          where t.account_id = purchases.account_id and t.environment = purchases.environment
            and t.transaction_id = purchases.transaction_id and t.finished_at is null
        )`.execute(db);
    await sql`
      create table provider_deviations (
        account_id text not null references accounts,
        environment text not null check (environment in ('test', 'live')),
        provider text not null,
        operation text not null check (operation in ('PURCHASE', 'REFUND', 'PLANS', 'BILL')),
        field text not null,
        kind text not null check (kind in ('MISSING', 'UNREADABLE', 'CONVERTED', 'DIFFERS')),
        needed ${whole} not null check (needed in (0, 1)),
        count ${whole} not null check (count > 0),
        first_at ${whole} not null,
        last_at ${whole} not null,
        last_reference text not null,
        primary key (account_id, environment, provider, operation, field, kind)
      ) ${tableEnd}`.execute(db);
    await sql`create index provider_deviations_needed
      on provider_deviations (account_id, environment, last_at) where needed = 1`.execute(db);
  },
};
