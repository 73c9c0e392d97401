-- Made by server/db/dump-schema.ts from the migrations. Review it as a diff.

CREATE TRIGGER audit_trail_no_delete before delete on audit_trail
  begin select raise(abort, 'audit_trail is append-only'); end;

CREATE TRIGGER audit_trail_no_update before update on audit_trail
  begin select raise(abort, 'audit_trail is append-only'); end;

CREATE TRIGGER ledger_entries_no_delete before delete on ledger_entries
  begin select raise(abort, 'ledger_entries is append-only'); end;

CREATE TRIGGER ledger_entries_no_update before update on ledger_entries
  begin select raise(abort, 'ledger_entries is append-only'); end;

CREATE TRIGGER ledger_postings_no_delete before delete on ledger_postings
  begin select raise(abort, 'ledger_postings is append-only'); end;

CREATE TRIGGER ledger_postings_no_update before update on ledger_postings
  begin select raise(abort, 'ledger_postings is append-only'); end;

CREATE TRIGGER receipt_prints_no_delete before delete on receipt_prints
  begin select raise(abort, 'receipt_prints is append-only'); end;

CREATE TRIGGER receipt_prints_no_update before update on receipt_prints
  begin select raise(abort, 'receipt_prints is append-only'); end;

CREATE TRIGGER transaction_log_no_delete before delete on transaction_log
  begin select raise(abort, 'transaction_log is append-only'); end;

CREATE TRIGGER transaction_log_no_update before update on transaction_log
  begin select raise(abort, 'transaction_log is append-only'); end;

CREATE TRIGGER transactions_final before update on transactions
  when old.status in ('DONE', 'FAILED') and (new.status <> old.status or new.amount <> old.amount)
  begin select raise(abort, 'a finished transaction is final'); end;

CREATE TABLE accounts (
  account_id text primary key,
  wallet_currency text not null,
  wallet_currency_divisor integer not null check (wallet_currency_divisor in (1, 10, 100, 1000)),
  created_at integer not null
) strict;

CREATE TABLE api_keys (
  key_id text primary key,
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  name text not null,
  hash text not null unique,
  hint text not null,
  allowed_addresses_json text,
  created_at integer not null,
  last_used_at integer,
  revoked_at integer
) strict;

CREATE TABLE audit_trail (
  entry_id integer primary key autoincrement,
  account_id text not null references accounts,
  staff_id text,
  action text not null,
  subject text not null,
  detail_json text not null,
  recorded_at integer not null
) strict;

CREATE TABLE brands (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  brand text not null,
  brand_name text not null,
  detail_json text not null,
  primary key (account_id, environment, brand),
  foreign key (account_id, environment) references catalogs
) strict;

CREATE TABLE catalogs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  version integer not null,
  source text not null,
  updated_at integer not null,
  primary key (account_id, environment)
) strict;

CREATE TABLE changes (
  change_id integer primary key autoincrement,
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  topic text not null check (topic in ('purchase', 'wallet', 'shop', 'catalog')),
  subject text not null,
  changed_at integer not null
) strict;

CREATE TABLE environment_settings (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  queue_enabled integer not null check (queue_enabled in (0, 1)),
  primary key (account_id, environment)
) strict;

CREATE TABLE jobs (
  kind text not null,
  subject text not null,
  run_at integer not null,
  attempts integer not null default 0,
  last_error text,
  lease text,
  primary key (kind, subject)
) strict, without rowid;

CREATE TABLE ledger_accounts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  name text not null
    check (name in ('wallet.available', 'wallet.held', 'world.funding', 'provider.spent')),
  currency text not null,
  balance integer not null,
  primary key (account_id, environment, name),
  constraint wallet_never_negative check (name not like 'wallet.%' or balance >= 0)
) strict;

CREATE TABLE ledger_entries (
  posting_id integer not null references ledger_postings,
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  name text not null,
  amount integer not null,
  balance_after integer not null,
  primary key (posting_id, name),
  foreign key (account_id, environment, name) references ledger_accounts
) strict, without rowid;

CREATE TABLE ledger_postings (
  posting_id integer primary key autoincrement,
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  kind text not null check (kind in ('RECHARGE', 'HOLD', 'CAPTURE', 'RELEASE')),
  posted_at integer not null,
  unique (account_id, environment, transaction_id, kind),
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE offers (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  offer_id text not null,
  product_type text not null,
  brand text not null,
  country text not null,
  offer_json text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (account_id, environment, offer_id),
  foreign key (account_id, environment, brand) references brands
) strict;

CREATE TABLE promos (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  promo_id text not null,
  promo_json text not null,
  created_at integer not null,
  primary key (account_id, environment, promo_id),
  foreign key (account_id, environment) references catalogs
) strict;

CREATE TABLE purchases (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  offer_id text not null,
  brand text not null,
  brand_name text not null,
  country text not null,
  recipient text not null,
  cost_base integer not null check (cost_base >= 0),
  cost_fee integer not null check (cost_fee >= 0),
  price_base integer not null check (price_base >= 0),
  price_fee integer not null check (price_fee >= 0),
  price_currency text not null,
  price_currency_divisor integer not null,
  send integer not null check (send >= 0),
  send_currency text not null,
  send_currency_divisor integer not null,
  value_type text,
  value integer,
  offer_json text not null,
  input_json text not null,
  fulfilment_json text,
  attempts integer not null default 0,
  attempt_state text not null default 'NONE'
    check (attempt_state in ('NONE', 'SENT', 'WORKING', 'FAILED')),
  next_attempt_at integer,
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE receipt_prints (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  copy_number integer not null,
  staff_id text not null,
  printed_at integer not null,
  primary key (account_id, environment, sale_id, copy_number),
  foreign key (account_id, environment, sale_id) references sales
) strict, without rowid;

CREATE TABLE sale_lines (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  position integer not null,
  transaction_id text not null,
  recipient text not null,
  created_at integer not null,
  primary key (account_id, environment, sale_id, position),
  unique (account_id, environment, transaction_id),
  foreign key (account_id, environment, sale_id) references sales,
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE sales (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  sale_number integer not null,
  staff_id text not null,
  currency text not null,
  currency_divisor integer not null,
  total integer not null check (total >= 0),
  tender_kind text not null check (tender_kind in ('CASH')),
  tendered integer not null check (tendered >= total),
  change_given integer not null check (change_given = tendered - total),
  request_hash text not null,
  created_at integer not null,
  primary key (account_id, environment, sale_id),
  unique (account_id, environment, sale_number),
  foreign key (account_id, staff_id) references staff
) strict;

CREATE TABLE shops (
  account_id text primary key references accounts,
  name text not null,
  currency text not null,
  currency_divisor integer not null check (currency_divisor in (1, 10, 100, 1000)),
  rate text not null,
  language text not null,
  till_environment text not null check (till_environment in ('test', 'live')),
  created_at integer not null,
  updated_at integer not null
) strict;

CREATE TABLE simulator_orders (
  account_id text not null,
  transaction_id text not null,
  submissions integer not null,
  received_at integer not null,
  fulfilled_at integer,
  primary key (account_id, transaction_id)
) strict;

CREATE TABLE staff (
  account_id text not null references accounts,
  staff_id text not null,
  name text not null collate nocase,
  role text not null check (role in ('clerk', 'owner')),
  pin_hash text not null,
  active integer not null check (active in (0, 1)),
  failed_attempts integer not null default 0,
  locked_until integer,
  created_at integer not null,
  primary key (account_id, staff_id),
  unique (account_id, name)
) strict;

CREATE TABLE staff_sessions (
  token_hash text primary key,
  account_id text not null,
  staff_id text not null,
  created_at integer not null,
  expires_at integer not null,
  foreign key (account_id, staff_id) references staff
) strict;

CREATE TABLE transaction_log (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  position integer not null,
  logged_at integer not null,
  status text not null,
  message text not null,
  primary key (account_id, environment, transaction_id, position),
  foreign key (account_id, environment, transaction_id) references transactions
) strict, without rowid;

CREATE TABLE transactions (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  type text not null check (type in ('DEBIT', 'CREDIT')),
  product_type text not null,
  status text not null
    check (status in ('ACCEPTED', 'PENDING', 'AUTHORIZED', 'IN_PROGRESS', 'DONE', 'FAILED')),
  amount integer not null check (amount >= 0),
  currency text not null,
  currency_divisor integer not null,
  created_at integer not null,
  updated_at integer not null,
  finished_at integer,
  error_code text,
  error_description text,
  error_message text,
  error_figures_json text,
  needs_reconciliation integer not null default 0 check (needs_reconciliation in (0, 1)),
  primary key (account_id, environment, transaction_id),
  check ((status in ('DONE', 'FAILED')) = (finished_at is not null)),
  check ((status = 'FAILED') = (error_code is not null))
) strict;

CREATE INDEX changes_by_age on changes (changed_at);

CREATE INDEX jobs_due on jobs (run_at) where lease is null;

CREATE INDEX ledger_entries_by_account
  on ledger_entries (account_id, environment, name, posting_id);

CREATE UNIQUE INDEX ledger_postings_settle_once
  on ledger_postings (account_id, environment, transaction_id)
  where kind in ('CAPTURE', 'RELEASE');

CREATE INDEX sale_lines_by_recipient
  on sale_lines (account_id, environment, recipient, created_at desc);

CREATE INDEX sale_lines_newest on sale_lines (account_id, environment, created_at desc);

CREATE INDEX sales_newest on sales (account_id, environment, created_at desc, sale_id);

CREATE INDEX staff_sessions_by_staff on staff_sessions (account_id, staff_id);

CREATE INDEX transactions_by_product
  on transactions (account_id, environment, product_type, created_at desc, transaction_id);

CREATE INDEX transactions_by_status
  on transactions (account_id, environment, status, created_at desc, transaction_id);

CREATE INDEX transactions_newest
  on transactions (account_id, environment, created_at desc, transaction_id);

CREATE INDEX transactions_unfinished on transactions (created_at) where finished_at is null;
