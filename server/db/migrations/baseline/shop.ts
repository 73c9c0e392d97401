import type { BaselineWords } from "./words.ts";

export function shopTables({
  whole,
  bytes,
  numberedKey,
  tableEnd,
  keyedTableEnd,
}: BaselineWords): string {
  return `
create table accounts (
  account_id text primary key,
  wallet_currency text not null,
  wallet_currency_divisor ${whole} not null check (wallet_currency_divisor in (1, 10, 100, 1000)),
  created_at ${whole} not null,
  lookup_enabled ${whole} not null default 1 check (lookup_enabled in (0, 1)),
  idle_lock_minutes ${whole} not null default 3 check (idle_lock_minutes between 0 and 120),
  time_zone text,
  receipt_text_json text not null default '{"address":[],"support":[]}',
  keep_details_days ${whole} not null default 90,
  printer_ports_json text not null default '[]',
  checksum ${whole},
  cash_step ${whole} not null default 0 check (cash_step between 0 and 100000),
  day_starts_at ${whole} not null default 0 check (day_starts_at between 0 and 360 and day_starts_at
    % 30 = 0),
  tenders_json text not null default '{"revision":0,"list":[]}',
  confirm_number text not null default 'NEVER' check (confirm_number in ('NEVER', 'NEW', 'ALWAYS')),
  keep_numbers_days ${whole} not null default 0 check (keep_numbers_days >= 0),
  clock_newest ${whole},
  clock_accepted_at ${whole}
) ${tableEnd};

create table shops (
  account_id text primary key references accounts,
  name text not null,
  currency text not null,
  currency_divisor ${whole} not null check (currency_divisor in (1, 10, 100, 1000)),
  rate text not null,
  language text not null,
  till_environment text not null check (till_environment in ('test', 'live')),
  created_at ${whole} not null,
  updated_at ${whole} not null,
  rate_set_at ${whole},
  checksum ${whole},
  country text
) ${tableEnd};

create table shop_logos (
  account_id text not null primary key references accounts,
  digest text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg')),
  width ${whole} not null,
  height ${whole} not null,
  content ${bytes} not null
) ${keyedTableEnd};

create table staff (
  account_id text not null references accounts,
  staff_id text not null,
  name text not null collate nocase,
  pin_hash text not null,
  active ${whole} not null check (active in (0, 1)),
  failed_attempts ${whole} not null default 0,
  locked_until ${whole},
  created_at ${whole} not null,
  rights_json text not null default '{}',
  limits_json text not null default '{}',
  signed_in_at ${whole},
  checksum ${whole},
  role text not null default 'clerk' check (role in ('clerk', 'supervisor', 'accountant', 'owner')),
  pin_given_at ${whole},
  primary key (account_id, staff_id),
  unique (account_id, name)
) ${tableEnd};

create table staff_sessions (
  token_hash text primary key,
  account_id text not null,
  staff_id text not null,
  created_at ${whole} not null,
  expires_at ${whole} not null,
  training ${whole} not null default 0 check (training in (0, 1)),
  active_at ${whole} not null default 0,
  device_id text,
  foreign key (account_id, staff_id) references staff
) ${keyedTableEnd};

create index staff_sessions_by_staff on staff_sessions (account_id, staff_id);

create table devices (
  account_id text not null references accounts,
  device_id text not null,
  name text not null,
  key_hash text not null,
  enrolled_at ${whole} not null,
  seen_at ${whole} not null,
  address text not null,
  revoked_at ${whole},
  checksum ${whole},
  primary key (account_id, device_id),
  unique (key_hash)
) ${tableEnd};

create table device_codes (
  account_id text not null references accounts,
  code_hash text not null,
  name text not null,
  expires_at ${whole} not null,
  primary key (account_id, code_hash)
) ${keyedTableEnd};

create table tills (
  account_id text not null references accounts,
  till_id text not null,
  number ${whole} not null,
  name text not null,
  device_hash text not null,
  first_used_at ${whole} not null,
  primary key (account_id, till_id),
  unique (account_id, device_hash),
  unique (account_id, number)
) ${keyedTableEnd};

create table staff_devices (
  account_id text not null,
  staff_id text not null,
  device_hash text not null,
  used_at ${whole} not null,
  failed_attempts ${whole} not null default 0,
  locked_until ${whole},
  primary key (account_id, staff_id, device_hash),
  foreign key (account_id, staff_id) references staff
) ${keyedTableEnd};

create table pin_guesses (
  guess_id ${numberedKey},
  account_id text not null,
  staff_id text not null,
  device_hash text,
  source text not null,
  guessed_at ${whole} not null,
  checked ${whole} not null default 1,
  foreign key (account_id, staff_id) references staff
) ${tableEnd};

create index pin_guesses_of_staff on pin_guesses (account_id, staff_id, device_hash, guessed_at);

create index pin_guesses_of_source on pin_guesses (account_id, source, guessed_at)
  where device_hash is null;

create index pin_guesses_of_strangers on pin_guesses (account_id, guessed_at)
  where device_hash is null;

create index pin_guesses_by_age on pin_guesses (guessed_at);

create table approvals (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  approval_id text not null,
  requested_by text not null,
  approved_by text not null,
  subject text not null,
  needs text not null,
  created_at ${whole} not null,
  expires_at ${whole} not null,
  used_at ${whole},
  request_digest text not null default '',
  facts_json text not null default '{}',
  checksum ${whole},
  primary key (account_id, environment, approval_id),
  foreign key (account_id, requested_by) references staff,
  foreign key (account_id, approved_by) references staff
) ${tableEnd};

create table printers (
  account_id text not null references accounts,
  printer_id text not null,
  name text not null,
  host text not null,
  port ${whole} not null check (port between 1 and 65535),
  paper text not null check (paper in ('58mm', '80mm')),
  drawer ${whole} not null check (drawer in (0, 1)),
  created_at ${whole} not null,
  checksum ${whole},
  drawer_pin ${whole} not null default 2 check (drawer_pin in (2, 5)),
  line_letters ${whole} not null default 48,
  head_dots ${whole} not null default 576,
  primary key (account_id, printer_id)
) ${tableEnd};

create table environment_settings (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  queue_enabled ${whole} not null check (queue_enabled in (0, 1)),
  checksum ${whole},
  numbers_erased_until ${whole} not null default 0,
  figures_until ${whole} not null default 0,
  primary key (account_id, environment)
) ${tableEnd};

create table api_keys (
  key_id text primary key,
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  name text not null,
  hash text not null unique,
  hint text not null,
  allowed_addresses_json text,
  created_at ${whole} not null,
  last_used_at ${whole},
  revoked_at ${whole},
  checksum ${whole}
) ${tableEnd};

create table pilots (
  account_id text primary key references accounts,
  device_hash text,
  chosen_by text,
  most_per_sale ${whole} not null check (most_per_sale > 0),
  most_per_day ${whole} not null check (most_per_day > 0),
  covers_api ${whole} not null check (covers_api in (0, 1)),
  started_at ${whole} not null,
  ended_at ${whole}
) ${keyedTableEnd};

create table going_live_notes (
  account_id text not null references accounts,
  note text not null,
  staff_id text not null,
  noted_at ${whole} not null,
  detail_json text not null,
  primary key (account_id, note)
) ${keyedTableEnd};

create table live_check_results (
  account_id text not null references accounts,
  check_name text not null,
  passed ${whole} not null check (passed in (0, 1)),
  stops ${whole} not null check (stops in (0, 1)),
  figures_json text not null,
  turned_red_at ${whole},
  checked_at ${whole} not null,
  primary key (account_id, check_name)
) ${keyedTableEnd};
`;
}
