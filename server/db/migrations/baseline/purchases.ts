import type { BaselineWords } from "./words.ts";

export function purchasesTables({
  whole,
  fraction,
  tableEnd,
  inserted,
  isJson,
  jsonField,
  keyedTableEnd,
}: BaselineWords): string {
  return `
create table offer_versions (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  digest text not null,
  offer_json text not null,
  checksum ${whole},
  primary key (account_id, environment, digest)
) ${tableEnd};

create table purchases (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  offer_id text not null,
  brand text not null,
  brand_name text not null,
  country text not null,
  recipient text not null,
  cost_base ${whole} not null check (cost_base >= 0),
  cost_fee ${whole} not null check (cost_fee >= 0),
  price_base ${whole} not null check (price_base >= 0),
  price_fee ${whole} not null check (price_fee >= 0),
  price_currency text not null,
  price_currency_divisor ${whole} not null,
  send ${whole} not null check (send >= 0),
  send_currency text not null,
  send_currency_divisor ${whole} not null,
  value_type text,
  value ${whole},
  offer_version text not null,
  input_json text not null,
  fulfilment_json text,
  attempts ${whole} not null default 0,
  attempt_state text not null default 'NONE' check (attempt_state in ('NONE', 'SENT', 'WORKING',
    'FAILED')),
  next_attempt_at ${whole},
  details_sealed text,
  details_state text check (details_state in ('CLEAR', 'SEALED', 'ERASED')),
  details_at ${whole},
  checksum ${whole},
  unknown_for_ms ${whole} not null default 0 check (unknown_for_ms >= 0),
  sent_by text,
  sent_until ${whole},
  doubt text not null default 'NONE' check (doubt in ('NONE', 'LOST', 'ACCEPTED', 'BOOKED')),
  deviations_json text,
  answer_sealed text,
  answer_at ${whole},
  key_id text${inserted},
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions,
  foreign key (account_id, environment, offer_version) references offer_versions
) ${tableEnd};

create index purchases_details on purchases (details_state, account_id, details_at)
  where details_state is not null;

create index purchases_by_recipient on purchases (account_id, environment, recipient)
  where recipient <> '';

create index purchases_by_confirmation on purchases (account_id, environment,
  ${jsonField("fulfilment_json", ["confirmation", "confirmationNumber"])})
  where ${isJson("fulfilment_json")};

create index purchases_by_reference on purchases (account_id, environment,
  ${jsonField("fulfilment_json", ["confirmation", "externalReferenceId"])})
  where ${isJson("fulfilment_json")};

create index purchases_deviating_answers on purchases (account_id, answer_at)
  where answer_sealed is not null;

create table purchase_losses (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  rule_id text not null,
  lost ${whole} not null check (lost > 0),
  is_released ${whole} not null default 0 check (is_released in (0, 1)),
  primary key (account_id, environment, transaction_id)
) ${keyedTableEnd};

create table refunds (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  refunded_transaction_id text not null,
  failed ${whole} not null default 0 check (failed in (0, 1)),
  unknown_for_ms ${whole} not null default 0 check (unknown_for_ms >= 0),
  checksum ${whole},
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions,
  foreign key (account_id, environment, refunded_transaction_id) references purchases
) ${tableEnd};

create unique index refunds_once on refunds (account_id, environment, refunded_transaction_id,
  (case failed when 0 then '' else transaction_id end));

create table esims (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  iccid text not null,
  transaction_id text not null,
  created_at ${whole} not null,
  checksum ${whole},
  primary key (account_id, environment, iccid),
  foreign key (account_id, environment, transaction_id) references purchases
) ${tableEnd};

create table retrieved_bills (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  offer_id text not null,
  bill_key text not null,
  amount_due ${whole} not null check (amount_due >= 0),
  retrieved_at ${whole} not null,
  checksum ${whole},
  primary key (account_id, environment, offer_id, bill_key)
) ${tableEnd};

create table upstreams (
  account_id text not null references accounts,
  environment text not null check (environment = 'live'),
  base_url text not null,
  key_sealed text,
  allow_private ${whole} not null check (allow_private in (0, 1)),
  connected_at ${whole} not null,
  hook_token_hash text unique,
  hook_secret_sealed text,
  balance ${whole},
  balance_at ${whole},
  synced_at ${whole},
  sync_report_json text,
  sync_failed_at ${whole},
  sync_failure text,
  fault_kind text,
  fault_message text,
  fault_at ${whole},
  checksum ${whole},
  approves_catalog ${whole} not null default 0 check (approves_catalog in (0, 1)),
  clock_difference_ms ${whole},
  hook_base_url text,
  primary key (account_id, environment),
  check ((hook_token_hash is null) = (hook_secret_sealed is null)),
  check ((balance is null) = (balance_at is null)),
  check ((sync_failed_at is null) = (sync_failure is null)),
  check ((fault_kind is null) = (fault_at is null))
) ${tableEnd};

create table brand_states (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  brand text not null,
  failures ${whole} not null default 0 check (failures >= 0),
  paused_since ${whole},
  pause_reason text check (pause_reason in ('auto', 'manual')),
  next_probe_at ${whole},
  primary key (account_id, environment, brand),
  check ((paused_since is null) = (pause_reason is null)),
  check ((next_probe_at is not null) = (pause_reason is not distinct from 'auto'))
) ${keyedTableEnd};

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
) ${keyedTableEnd};

create table remembered_carriers (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  number text not null,
  brand text not null,
  updated_at ${whole} not null,
  primary key (account_id, environment, number)
) ${keyedTableEnd};

create table simulator_orders (
  account_id text not null,
  transaction_id text not null,
  submissions ${whole} not null,
  received_at ${whole} not null,
  fulfilled_at ${whole},
  primary key (account_id, transaction_id)
) ${keyedTableEnd};

create table simulator_plans (
  account_id text not null,
  transaction_id text not null,
  iccid text not null,
  position ${whole} not null,
  offer_id text not null,
  description text not null,
  data_gb ${fraction} not null,
  unlimited ${whole} not null check (unlimited in (0, 1)),
  duration_days ${whole} not null,
  added_at ${whole} not null,
  refunded_at ${whole},
  primary key (account_id, transaction_id),
  unique (account_id, iccid, position)
) ${keyedTableEnd};
`;
}
