import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const ENVIRONMENT = "text not null check (environment in ('test', 'live'))";

const STATEMENTS = [
  `create table webhook_endpoints (
    account_id text not null references accounts,
    environment ${ENVIRONMENT},
    endpoint_id text not null,
    kind text not null check (kind in ('TOPUP', 'VOUCHER', 'ESIM', 'BILL_PAY', 'TRANSACTION')),
    url text not null,
    header_name text,
    header_value_sealed text,
    secret_sealed text,
    allow_private integer not null check (allow_private in (0, 1)),
    created_at integer not null,
    failing_since integer,
    last_failed_at integer,
    last_failure text,
    paused_at integer,
    removed_at integer,
    primary key (account_id, environment, endpoint_id),
    check ((secret_sealed is null) = (removed_at is not null)),
    check ((failing_since is null) = (last_failed_at is null))
  ) strict`,
  `create unique index webhook_endpoints_once
    on webhook_endpoints (account_id, environment, kind, url) where removed_at is null`,
  `create unique index webhook_endpoints_one_verifier
    on webhook_endpoints (account_id, environment)
    where kind = 'TRANSACTION' and removed_at is null`,

  `create table webhook_deliveries (
    sequence integer primary key autoincrement,
    account_id text not null,
    environment ${ENVIRONMENT},
    delivery_id text not null,
    endpoint_id text not null,
    transaction_id text not null,
    body text not null,
    state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
    failures integer not null default 0,
    next_attempt_at integer,
    created_at integer not null,
    unique (account_id, environment, delivery_id),
    unique (account_id, environment, endpoint_id, transaction_id),
    foreign key (account_id, environment, endpoint_id) references webhook_endpoints,
    foreign key (account_id, environment, transaction_id) references transactions,
    check (next_attempt_at is null or state = 'PENDING')
  ) strict`,
  `create index webhook_deliveries_due
    on webhook_deliveries (account_id, environment, endpoint_id, next_attempt_at)
    where next_attempt_at is not null`,
  `create index webhook_deliveries_by_transaction
    on webhook_deliveries (account_id, environment, transaction_id)`,

  `create table webhook_attempts (
    account_id text not null,
    environment ${ENVIRONMENT},
    delivery_id text not null,
    position integer not null,
    began_at integer not null,
    ended_at integer not null,
    status integer,
    answer text,
    error text,
    primary key (account_id, environment, delivery_id, position),
    foreign key (account_id, environment, delivery_id)
      references webhook_deliveries (account_id, environment, delivery_id)
  ) strict, without rowid`,
];

export const migration004: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
