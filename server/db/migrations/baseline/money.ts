import type { BaselineWords } from "./words.ts";

export function moneyTables({
  whole,
  bytes,
  numberedKey,
  tableEnd,
  keyedTableEnd,
  appendOnly,
  guard,
  inserted,
  trigger,
}: BaselineWords): string {
  return `
create table ledger_accounts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  name text not null check (name in ('wallet.available', 'wallet.held', 'world.funding',
    'provider.spent')),
  currency text not null,
  balance ${whole} not null,
  primary key (account_id, environment, name),
  constraint wallet_never_negative check (name not like 'wallet.%' or balance >= 0)
) ${keyedTableEnd};

create table transactions (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  type text not null check (type in ('DEBIT', 'CREDIT')),
  product_type text not null,
  status text not null check (status in ('ACCEPTED', 'PENDING', 'AUTHORIZED', 'IN_PROGRESS', 'DONE',
    'FAILED')),
  amount ${whole} not null check (amount >= 0),
  currency text not null,
  currency_divisor ${whole} not null,
  created_at ${whole} not null,
  updated_at ${whole} not null,
  finished_at ${whole},
  error_code text,
  error_description text,
  error_message text,
  error_figures_json text,
  needs_reconciliation ${whole} not null default 0 check (needs_reconciliation in (0, 1)),
  training ${whole} not null default 0 check (training in (0, 1)),
  checksum ${whole},
  primary key (account_id, environment, transaction_id),
  check ((status in ('DONE', 'FAILED')) = (finished_at is not null)),
  check ((status = 'FAILED') = (error_code is not null))
) ${tableEnd};

create index transactions_by_finish on transactions (account_id, environment, finished_at,
  transaction_id)
  where finished_at is not null;

create index transactions_to_reconcile on transactions (account_id, environment, created_at,
  transaction_id)
  where needs_reconciliation = 1;

create index transactions_unfinished on transactions (account_id, environment, created_at,
  transaction_id)
  where finished_at is null;

create index transactions_newest on transactions (account_id, environment, created_at desc,
  transaction_id)
  where training = 0;

create index transactions_by_product on transactions (account_id, environment, product_type,
  created_at desc, transaction_id, type)
  where training = 0;

create index transactions_by_status on transactions (account_id, environment, status,
  created_at desc, transaction_id, type, product_type)
  where training = 0;

create index transactions_by_type on transactions (account_id, environment, type, created_at desc,
  transaction_id)
  where training = 0;

create index transactions_recharges on transactions (account_id, environment, created_at desc,
  transaction_id)
  where training = 0 and product_type in ('RECHARGE_SANDBOX', 'RECHARGE_WITH_CREDIT_CARD');

${guard({
  name: "transactions_final",
  event: "before update",
  table: "transactions",
  condition: `old.status in ('DONE', 'FAILED') and (new.status <> old.status or new.amount <> old.amount)`,
  message: "a finished transaction is final",
})}

${trigger({
  name: "transactions_count",
  event: "after insert",
  table: "transactions",
  body: `
    update commit_count set transactions = transactions + 1 where one = 1;`,
})}

create table transaction_log (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  position ${whole} not null,
  logged_at ${whole} not null,
  status text not null,
  message text,
  primary key (account_id, environment, transaction_id, position),
  foreign key (account_id, environment, transaction_id) references transactions
) ${keyedTableEnd};

${appendOnly("transaction_log")}

${trigger({
  name: "transaction_log_changes",
  event: "after insert",
  table: "transaction_log",
  body: `
    insert into changes (account_id, environment, topic, subject, changed_at)
    values (new.account_id, new.environment, 'purchase', new.transaction_id, new.logged_at);`,
})}

create table ledger_postings (
  posting_id ${numberedKey},
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  kind text not null check (kind in ('RECHARGE', 'HOLD', 'CAPTURE', 'RELEASE', 'REFUND')),
  amount ${whole} not null check (amount >= 0 or kind = 'RECHARGE'),
  from_balance ${whole} not null,
  to_balance ${whole} not null,
  posted_at ${whole} not null,
  unique (account_id, environment, transaction_id, kind),
  foreign key (account_id, environment, transaction_id) references transactions
) ${tableEnd};

create unique index ledger_postings_settle_once on ledger_postings (account_id, environment,
  transaction_id)
  where kind in ('CAPTURE', 'RELEASE');

create index ledger_postings_by_time on ledger_postings (account_id, environment, posted_at,
  posting_id);

create index ledger_postings_rare on ledger_postings (account_id, environment, kind, posted_at,
  posting_id)
  where kind in ('RECHARGE', 'RELEASE', 'REFUND');

${appendOnly("ledger_postings")}

${trigger({
  name: "ledger_postings_changes",
  event: "after insert",
  table: "ledger_postings",
  body: `
    insert into changes (account_id, environment, topic, subject, changed_at)
    values (new.account_id, new.environment, 'wallet', 'balance', new.posted_at);`,
})}

create view ledger_entries as
select posting_id, account_id, environment,
  case kind when 'RECHARGE' then 'world.funding' when 'HOLD' then 'wallet.available'
    when 'REFUND' then 'provider.spent' else 'wallet.held' end as name,
  -amount as amount, from_balance as balance_after
from ledger_postings
union all
select posting_id, account_id, environment,
  case kind when 'HOLD' then 'wallet.held' when 'CAPTURE' then 'provider.spent'
    else 'wallet.available' end,
  amount, to_balance
from ledger_postings;

create table wallet_alerts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  low_amount ${whole} check (low_amount > 0),
  low_hours ${whole} check (low_hours > 0),
  primary key (account_id, environment)
) ${keyedTableEnd};

create table recharges (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  paid ${whole} check (paid > 0),
  currency text,
  average text,
  recharged_at ${whole},
  reference text check (reference <> ''),
  reversed_transaction_id text,
  reason text check (reason <> ''),
  staff_id text,
  checksum ${whole}${inserted},
  primary key (account_id, environment, transaction_id),
  unique (account_id, environment, reversed_transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions,
  foreign key (account_id, environment, reversed_transaction_id) references transactions,
  foreign key (account_id, staff_id) references staff,
  check ((paid is null) = (currency is null)),
  check ((paid is null) = (average is null)),
  check ((paid is null) = (recharged_at is null)),
  check ((reversed_transaction_id is null) = (reason is null)),
  check ((reversed_transaction_id is null) = (staff_id is null))
) ${tableEnd};

create index recharges_by_time on recharges (account_id, environment, currency, recharged_at);

${guard({
  name: "recharges_never_change",
  event:
    "before update of paid, currency, average, recharged_at, reversed_transaction_id, reason, staff_id",
  table: "recharges",
  condition: `(old.paid is not null and (new.paid is distinct from old.paid
      or new.currency is distinct from old.currency or new.average is distinct from old.average
      or new.recharged_at is distinct from old.recharged_at))
    or (old.reversed_transaction_id is not null
      and (new.reversed_transaction_id is distinct from old.reversed_transaction_id
      or new.reason is distinct from old.reason or new.staff_id is distinct from old.staff_id))`,
  message: "a payment for a recharge and a reversal never change",
})}

${guard({
  name: "recharges_no_delete",
  event: "before delete",
  table: "recharges",
  message: "recharges is append-only",
})}

create table reports (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  report_id text not null,
  status text not null check (status in ('REQUESTED', 'Ready', 'FAILED')),
  start_gte ${whole} not null,
  end_lt ${whole} not null check (end_lt > start_gte),
  file_name text,
  error_code text,
  error_description text,
  error_message text,
  created_at ${whole} not null,
  updated_at ${whole} not null,
  primary key (account_id, environment, report_id),
  check ((status = 'Ready') = (file_name is not null)),
  check ((status = 'FAILED') = (error_code is not null))
) ${keyedTableEnd};

create table report_log (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  report_id text not null,
  position ${whole} not null,
  recorded_at ${whole} not null,
  status text not null,
  message text not null,
  primary key (account_id, environment, report_id, position),
  foreign key (account_id, environment, report_id) references reports
) ${keyedTableEnd};

create table report_parts (
  file_name text not null,
  part ${whole} not null,
  content ${bytes} not null,
  primary key (file_name, part)
) ${keyedTableEnd};

create table audit_trail (
  entry_id ${numberedKey},
  account_id text not null references accounts,
  staff_id text,
  action text not null,
  subject text not null,
  detail_json text not null,
  recorded_at ${whole} not null
) ${tableEnd};

create index audit_trail_of_staff on audit_trail (account_id, staff_id, entry_id);

create index audit_trail_of_action on audit_trail (account_id, action, entry_id);

create index audit_trail_by_time on audit_trail (account_id, recorded_at);

create index audit_trail_of_subject on audit_trail (account_id, subject, entry_id);

${appendOnly("audit_trail")}

${trigger({
  name: "audit_trail_counted",
  event: "after insert",
  table: "audit_trail",
  body: `
    insert into audit_counts (account_id, entries) values (new.account_id, 1)
    on conflict (account_id) do update set entries = audit_counts.entries + 1;`,
})}

create table audit_counts (
  account_id text not null primary key references accounts,
  entries ${whole} not null
) ${keyedTableEnd};
`;
}
