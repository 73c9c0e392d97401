import type { BaselineWords } from "./words.ts";

export function figuresTables({ whole, tableEnd, keyedTableEnd }: BaselineWords): string {
  return `
create table day_figures (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  dimension text not null check (dimension in ('ALL', 'TENDER', 'FAMILY', 'BRAND', 'COUNTRY',
    'CLERK', 'TILL')),
  quarter ${whole} not null,
  value text not null,
  currency text not null,
  sales ${whole} not null,
  lines ${whole} not null,
  paid ${whole} not null,
  discount ${whole} not null,
  tax ${whole} not null,
  cost ${whole} not null,
  wallet_cost ${whole} not null,
  lines_back ${whole} not null,
  paid_back ${whole} not null,
  tax_back ${whole} not null,
  cost_back ${whole} not null,
  wallet_cost_back ${whole} not null,
  discount_back ${whole} not null,
  cash_rounding ${whole} not null,
  taken ${whole} not null,
  taken_back ${whole} not null,
  sales_back ${whole} not null,
  paid_refunded ${whole} not null,
  check_sum ${whole} not null,
  primary key (account_id, environment, dimension, quarter, value, currency)
) ${keyedTableEnd};

create table shop_reports (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  report_id text not null,
  kind text not null,
  format text not null,
  first_day text not null,
  last_day text not null,
  state text not null check (state in ('REQUESTED', 'READY', 'FAILED')),
  file_name text check ((state = 'READY') = (file_name is not null)),
  fault text,
  staff_id text,
  schedule_id text,
  created_at ${whole} not null,
  finished_at ${whole},
  language text,
  primary key (account_id, environment, report_id)
) ${tableEnd};

create index shop_reports_by_time on shop_reports (account_id, environment, created_at);

create index shop_reports_by_schedule on shop_reports (account_id, environment, schedule_id,
  created_at)
  where schedule_id is not null;

create index shop_reports_ready on shop_reports (finished_at) where state = 'READY';

create table report_schedules (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  schedule_id text not null,
  schedule_json text not null,
  next_at ${whole},
  last_day text,
  fault text,
  primary key (account_id, environment, schedule_id)
) ${keyedTableEnd};

create table accounting_settings (
  account_id text not null primary key references accounts,
  settings_json text not null
) ${keyedTableEnd};

create table alerts (
  account_id text not null references accounts,
  alert_id text not null,
  environment text check (environment in ('test', 'live')),
  kind text not null,
  subject text not null,
  cause text not null,
  level text not null check (level in ('URGENT', 'SOON')),
  worst_level text not null check (worst_level in ('URGENT', 'SOON')),
  mark text not null,
  facts_json text not null,
  opened_at ${whole} not null,
  resolved_at ${whole},
  silenced_at ${whole},
  silenced_by text check ((silenced_at is null) = (silenced_by is null)),
  mail_due_at ${whole} check (mail_due_at is null or resolved_at is null),
  primary key (account_id, alert_id)
) ${keyedTableEnd};

create unique index alerts_open on alerts (account_id, coalesce(environment, ''), kind, subject)
  where resolved_at is null;

create index alerts_resolved on alerts (account_id, resolved_at) where resolved_at is not null;

create table alert_mail (
  account_id text not null primary key references accounts,
  settings_json text not null,
  sent_at ${whole},
  known_kinds_json text
) ${keyedTableEnd};
`;
}
