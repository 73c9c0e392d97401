import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { keyedTableEnd, numberedKey, tableEnd, whole } from "../migration-words.ts";

/**
 * Stores the address at which a report was requested, for the link in its message. Lets a webhook
 * take several kinds, and a message be about a report, a balance or a promotion
 * instead of a transaction. The checksum of a webhook covers the values of its columns, not their
 * names, so it remains valid.
 */
export const migration008: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await widenEndpoints(db);
    await sql`alter table reports add column requested_at text`.execute(db);
    await makeDeliveries(db);
    await makeAttempts(db);
    await sql`drop table webhook_attempts`.execute(db);
    await sql`drop table webhook_deliveries`.execute(db);
    await sql`alter table made_deliveries rename to webhook_deliveries`.execute(db);
    await sql`alter table made_attempts rename to webhook_attempts`.execute(db);
    await indexDeliveries(db);
  },
};

/** `kinds` separates several kinds with a space, so the text of a single kind does not change. */
async function widenEndpoints(db: Kysely<unknown>): Promise<void> {
  await sql`drop index webhook_endpoints_one_verifier`.execute(db);
  await sql`alter table webhook_endpoints rename column kind to kinds`.execute(db);
  await sql`alter table webhook_endpoints add column description text`.execute(db);
  await sql`alter table webhook_endpoints add column listening_until ${whole}`.execute(db);
  await sql`alter table webhook_endpoints add column listener_cursor ${whole}`.execute(db);
  await sql`create unique index webhook_endpoints_one_verifier
    on webhook_endpoints (account_id, environment)
    where kinds like '%TRANSACTION%' and removed_at is null`.execute(db);
}

async function makeDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`create table made_deliveries (
    sequence ${numberedKey},
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    delivery_id text not null,
    endpoint_id text not null,
    kind text not null,
    subject text not null,
    body text not null,
    state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
    failures ${whole} not null default 0,
    next_attempt_at ${whole},
    created_at ${whole} not null,
    sent_by text,
    sent_until ${whole},
    unique (account_id, environment, delivery_id),
    unique (account_id, environment, endpoint_id, subject, kind),
    foreign key (account_id, environment, endpoint_id) references webhook_endpoints,
    check (next_attempt_at is null or state = 'PENDING')
  ) ${tableEnd}`.execute(db);
  await sql`insert into made_deliveries (account_id, environment, delivery_id, endpoint_id, kind,
      subject, body, state, failures, next_attempt_at, created_at, sent_by, sent_until)
    select d.account_id, d.environment, d.delivery_id, d.endpoint_id, e.kinds, d.transaction_id,
      d.body, d.state, d.failures, d.next_attempt_at, d.created_at, d.sent_by, d.sent_until
    from webhook_deliveries d
    join webhook_endpoints e on e.account_id = d.account_id and e.environment = d.environment
      and e.endpoint_id = d.endpoint_id
    order by d.sequence`.execute(db);
}

/** References the new deliveries. */
async function makeAttempts(db: Kysely<unknown>): Promise<void> {
  await sql`create table made_attempts (
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    delivery_id text not null,
    position ${whole} not null,
    began_at ${whole} not null,
    ended_at ${whole} not null,
    status ${whole},
    answer text,
    error text,
    primary key (account_id, environment, delivery_id, position),
    foreign key (account_id, environment, delivery_id) references made_deliveries (account_id,
      environment, delivery_id)
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into made_attempts (account_id, environment, delivery_id, position, began_at,
      ended_at, status, answer, error)
    select account_id, environment, delivery_id, position, began_at, ended_at, status, answer, error
    from webhook_attempts`.execute(db);
}

async function indexDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_deliveries_due on webhook_deliveries (account_id, environment,
    endpoint_id, next_attempt_at) where next_attempt_at is not null`.execute(db);
  await sql`create index webhook_deliveries_clear on webhook_deliveries (sequence)
    where substr(body, 1, 1) = '{'`.execute(db);
  await sql`create index webhook_deliveries_undelivered on webhook_deliveries (account_id, state,
    sequence) where state <> 'DELIVERED'`.execute(db);
  await sql`create index webhook_deliveries_claimed on webhook_deliveries (account_id, environment,
    endpoint_id) where sent_until is not null`.execute(db);
  await sql`create index webhook_attempts_open on webhook_attempts (account_id, environment,
    delivery_id) where status is null and error is null`.execute(db);
}
