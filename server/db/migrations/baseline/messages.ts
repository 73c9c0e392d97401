import type { BaselineWords } from "./words.ts";

export function messagesTables({
  whole,
  numberedKey,
  tableEnd,
  keyedTableEnd,
}: BaselineWords): string {
  return `
create table webhook_endpoints (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  endpoint_id text not null,
  kind text not null,
  url text not null,
  header_name text,
  header_value_sealed text,
  secret_sealed text,
  allow_private ${whole} not null check (allow_private in (0, 1)),
  created_at ${whole} not null,
  failing_since ${whole},
  last_failed_at ${whole},
  last_failure text,
  paused_at ${whole},
  removed_at ${whole},
  checksum ${whole},
  old_secret_sealed text,
  old_secret_until ${whole},
  primary key (account_id, environment, endpoint_id),
  check ((secret_sealed is null) = (removed_at is not null)),
  check ((failing_since is null) = (last_failed_at is null))
) ${tableEnd};

create unique index webhook_endpoints_once on webhook_endpoints (account_id, environment, kind, url)
  where removed_at is null;

create unique index webhook_endpoints_one_verifier on webhook_endpoints (account_id, environment)
  where kind = 'TRANSACTION' and removed_at is null;

create table webhook_deliveries (
  sequence ${numberedKey},
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  delivery_id text not null,
  endpoint_id text not null,
  transaction_id text not null,
  body text not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  failures ${whole} not null default 0,
  next_attempt_at ${whole},
  created_at ${whole} not null,
  sent_by text,
  sent_until ${whole},
  unique (account_id, environment, delivery_id),
  unique (account_id, environment, endpoint_id, transaction_id),
  foreign key (account_id, environment, endpoint_id) references webhook_endpoints,
  foreign key (account_id, environment, transaction_id) references transactions,
  check (next_attempt_at is null or state = 'PENDING')
) ${tableEnd};

create index webhook_deliveries_due on webhook_deliveries (account_id, environment, endpoint_id,
  next_attempt_at)
  where next_attempt_at is not null;

create index webhook_deliveries_clear on webhook_deliveries (sequence)
  where substr(body, 1, 1) = '{';

create index webhook_deliveries_undelivered on webhook_deliveries (account_id, state, sequence)
  where state <> 'DELIVERED';

create index webhook_deliveries_claimed on webhook_deliveries (account_id, environment, endpoint_id)
  where sent_until is not null;

create table webhook_attempts (
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
  foreign key (account_id, environment, delivery_id) references webhook_deliveries (account_id,
    environment, delivery_id)
) ${keyedTableEnd};

create index webhook_attempts_open on webhook_attempts (account_id, environment, delivery_id)
  where status is null and error is null;

create table mail_servers (
  account_id text not null primary key references accounts,
  host text not null,
  port ${whole} not null,
  security text not null check (security in ('TLS', 'STARTTLS', 'NONE')),
  user_name text not null,
  password_sealed text,
  from_address text not null
) ${keyedTableEnd};

create table mails (
  account_id text not null references accounts,
  mail_id text not null,
  recipients_json text not null,
  subject text not null,
  body text not null,
  file_name text,
  attachment_name text,
  state text not null check (state in ('WAITING', 'SENT', 'FAILED')),
  fault text,
  created_at ${whole} not null,
  sent_at ${whole},
  made_of text,
  again_at ${whole},
  given_up ${whole} not null default 0,
  primary key (account_id, mail_id)
) ${tableEnd};

create index mails_by_time on mails (account_id, created_at);
`;
}
