import type { BaselineWords } from "./words.ts";

export function sellingTables({
  whole,
  tableEnd,
  keyedTableEnd,
  appendOnly,
  guard,
}: BaselineWords): string {
  return `
create table shifts (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  shift_id text not null,
  staff_id text not null,
  currency text not null,
  currency_divisor ${whole} not null,
  opened_at ${whole} not null,
  opening_float ${whole} not null check (opening_float >= 0),
  count_json text,
  closed_at ${whole},
  primary key (account_id, environment, shift_id),
  foreign key (account_id, staff_id) references staff
) ${keyedTableEnd};

create unique index shifts_one_open on shifts (account_id, environment, staff_id)
  where closed_at is null;

create index shifts_of_staff on shifts (account_id, environment, staff_id, opened_at desc);

create index shifts_by_opening on shifts (account_id, opened_at, environment);

${guard({
  name: "shifts_closed",
  event: "before update",
  table: "shifts",
  condition: `old.closed_at is not null`,
  message: "a closed shift is final",
})}

create table cash_movements (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  movement_id text not null,
  shift_id text,
  kind text not null check (kind in ('PAY_IN', 'PAY_OUT', 'DROP', 'NO_SALE', 'DEPOSIT',
    'WITHDRAWAL')),
  amount ${whole} not null check (amount >= 0),
  currency text,
  reason text not null,
  staff_id text not null,
  approved_by text,
  recorded_at ${whole} not null,
  primary key (account_id, environment, movement_id),
  foreign key (account_id, environment, shift_id) references shifts,
  foreign key (account_id, staff_id) references staff,
  check ((kind in ('DEPOSIT', 'WITHDRAWAL')) = (shift_id is null)),
  check ((shift_id is null) = (currency is not null)),
  check ((kind = 'NO_SALE') = (amount = 0)),
  check (kind in ('DROP', 'DEPOSIT', 'WITHDRAWAL') or reason <> '')
) ${tableEnd};

create index cash_movements_by_shift on cash_movements (account_id, environment, shift_id,
  recorded_at);

create index cash_movements_by_time on cash_movements (account_id, environment, recorded_at);

${appendOnly("cash_movements")}

create table z_reports (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  z_number ${whole} not null check (z_number > 0),
  shift_id text not null,
  staff_id text not null,
  closed_at ${whole} not null,
  request_hash text not null,
  report_json text not null,
  primary key (account_id, environment, z_number),
  unique (account_id, environment, shift_id),
  foreign key (account_id, environment, shift_id) references shifts
) ${tableEnd};

create index z_reports_of_staff on z_reports (account_id, environment, staff_id, z_number desc);

create index z_reports_by_close on z_reports (account_id, environment, closed_at desc, z_number);

${appendOnly("z_reports")}

create table sales (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  sale_number ${whole} not null,
  staff_id text not null,
  approved_by text,
  currency text not null,
  currency_divisor ${whole} not null,
  total ${whole} not null check (total >= 0),
  discount ${whole} not null check (discount >= 0),
  request_hash text not null,
  created_at ${whole} not null,
  shift_id text,
  training ${whole} not null default 0 check (training in (0, 1)),
  checksum ${whole},
  cash_rounding ${whole} not null default 0,
  cash_step ${whole} not null default 0 check (cash_step >= 0),
  till text not null default 'BEFORE',
  primary key (account_id, environment, sale_id),
  unique (account_id, environment, sale_number),
  foreign key (account_id, environment, shift_id) references shifts,
  foreign key (account_id, staff_id) references staff,
  foreign key (account_id, approved_by) references staff
) ${tableEnd};

create index sales_newest on sales (account_id, environment, created_at desc, sale_id);

create index sales_by_shift on sales (account_id, environment, shift_id);

create index sales_of_staff on sales (account_id, environment, staff_id, created_at);

create table sale_lines (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  position ${whole} not null,
  transaction_id text not null,
  product_type text not null,
  recipient text not null,
  price ${whole} not null check (price >= 0),
  discount ${whole} not null check (discount between 0 and price),
  created_at ${whole} not null,
  checksum ${whole},
  cost ${whole} not null default 0 check (cost >= 0),
  rate text not null default '1',
  tax ${whole} not null default 0 check (tax >= 0),
  tax_kind text not null default 'NONE' check (tax_kind in ('NONE', 'ON_PRICE', 'ON_MARGIN')),
  tax_percent text not null default '0',
  returned_at ${whole},
  owed ${whole} not null default 0 check (owed in (0, 1)),
  primary key (account_id, environment, sale_id, position),
  unique (account_id, environment, transaction_id),
  foreign key (account_id, environment, sale_id) references sales,
  foreign key (account_id, environment, transaction_id) references purchases
) ${tableEnd};

create index sale_lines_by_recipient on sale_lines (account_id, environment, recipient,
  created_at desc);

create index sale_lines_newest on sale_lines (account_id, environment, created_at desc);

create index sale_lines_of_family on sale_lines (account_id, environment, product_type,
  created_at desc);

create index sale_lines_returned on sale_lines (account_id, environment, owed, returned_at)
  where returned_at is not null;

create table sale_tenders (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  position ${whole} not null,
  kind text not null check (kind in ('CASH', 'CARD', 'OTHER')),
  amount ${whole} not null check (amount >= 0),
  tendered ${whole} check (tendered >= amount),
  reference text,
  tender_id text not null default '',
  tender_name text not null default '',
  primary key (account_id, environment, sale_id, position),
  foreign key (account_id, environment, sale_id) references sales,
  check ((kind = 'CASH') = (tendered is not null))
) ${keyedTableEnd};

create index sale_tenders_added on sale_tenders (account_id, environment, tender_id)
  where tender_id <> '';

create unique index sale_tenders_one_cash on sale_tenders (account_id, environment, sale_id)
  where kind = 'CASH';

${appendOnly("sale_tenders")}

create table customer_refunds (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  customer_refund_id text not null,
  sale_id text not null,
  staff_id text not null,
  approved_by text,
  amount ${whole} not null check (amount >= 0),
  request_hash text not null,
  created_at ${whole} not null,
  shift_id text,
  cash_rounding ${whole} not null default 0,
  till text not null default 'BEFORE',
  replaced_by text,
  primary key (account_id, environment, customer_refund_id),
  foreign key (account_id, environment, sale_id) references sales,
  foreign key (account_id, environment, replaced_by) references sales,
  foreign key (account_id, environment, shift_id) references shifts,
  foreign key (account_id, staff_id) references staff,
  foreign key (account_id, approved_by) references staff
) ${tableEnd};

create index customer_refunds_by_shift on customer_refunds (account_id, environment, shift_id);

create index customer_refunds_newest on customer_refunds (account_id, environment, created_at desc);

create index customer_refunds_of_sale on customer_refunds (account_id, environment, sale_id);

${appendOnly("customer_refunds")}

create table customer_refund_lines (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  customer_refund_id text not null,
  sale_id text not null,
  amount ${whole} not null check (amount >= 0),
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, customer_refund_id) references "customer_refunds",
  foreign key (account_id, environment, transaction_id) references sale_lines (account_id,
    environment, transaction_id)
) ${keyedTableEnd};

create index customer_refund_lines_of_sale on customer_refund_lines (account_id, environment,
  sale_id);

${appendOnly("customer_refund_lines")}

create table customer_refund_tenders (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  customer_refund_id text not null,
  kind text not null check (kind in ('CASH', 'CARD', 'OTHER')),
  tender_id text not null default '',
  tender_name text not null default '',
  amount ${whole} not null check (amount > 0),
  primary key (account_id, environment, customer_refund_id, kind, tender_id),
  foreign key (account_id, environment, customer_refund_id) references customer_refunds
) ${keyedTableEnd};

${appendOnly("customer_refund_tenders")}

create table held_sales (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  held_sale_id text not null,
  label text not null,
  staff_id text not null,
  currency text not null,
  currency_divisor ${whole} not null,
  total ${whole} not null,
  lines_json text not null,
  request_hash text not null,
  held_at ${whole} not null,
  ended_at ${whole},
  ended_by text,
  resume_id text,
  training ${whole} not null default 0 check (training in (0, 1)),
  checksum ${whole},
  primary key (account_id, environment, held_sale_id),
  foreign key (account_id, staff_id) references staff,
  foreign key (account_id, ended_by) references staff,
  check ((ended_at is null) = (ended_by is null)),
  check (resume_id is null or ended_at is not null)
) ${tableEnd};

create index held_sales_waiting on held_sales (account_id, environment, held_at desc)
  where ended_at is null;

create table favourites (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  number text not null,
  name text not null,
  created_at ${whole} not null,
  primary key (account_id, environment, number)
) ${tableEnd};

create table number_checks (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  transaction_id text not null,
  checked_by text not null check (checked_by in ('CUSTOMER', 'CLERK')),
  primary key (account_id, environment, sale_id, transaction_id)
) ${keyedTableEnd};

create table prints (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('SALE', 'Z_REPORT')),
  subject text not null,
  copy_number ${whole} not null,
  staff_id text not null,
  printed_at ${whole} not null,
  primary key (account_id, environment, kind, subject, copy_number)
) ${keyedTableEnd};

${appendOnly("prints")}

create table print_records (
  account_id text not null references accounts,
  print_id text not null,
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('SALE', 'Z_REPORT')),
  subject text not null,
  copy_number ${whole} not null check (copy_number >= 0),
  staff_id text not null,
  granted_rights text not null,
  state text not null check (state in ('NOT_BEGUN', 'BEGUN', 'PRINTED', 'REPLACED')),
  recorded_at ${whole} not null,
  primary key (account_id, print_id)
) ${keyedTableEnd};

create index print_records_not_begun on print_records (account_id, environment, kind, subject)
  where state = 'NOT_BEGUN';

create index print_records_by_time on print_records (account_id, recorded_at);

create table receipt_page_settings (
  account_id text not null primary key references accounts,
  enabled ${whole} not null check (enabled in (0, 1)),
  public_url text not null,
  keep_days ${whole} not null check (keep_days > 0),
  details_in_mail ${whole} not null check (details_in_mail in (0, 1))
) ${keyedTableEnd};

create table receipt_links (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  link_id text not null,
  token_hash text not null unique,
  sale_id text not null,
  staff_id text not null,
  language text not null,
  created_at ${whole} not null,
  expires_at ${whole} not null,
  revoked_at ${whole},
  revoked_by text,
  views ${whole} not null default 0,
  first_viewed_at ${whole},
  last_viewed_at ${whole},
  details_shown ${whole} not null default 0,
  primary key (account_id, environment, link_id),
  foreign key (account_id, environment, sale_id) references sales
) ${keyedTableEnd};

create index receipt_links_by_sale on receipt_links (account_id, environment, sale_id, created_at);

create index receipt_links_by_end on receipt_links (expires_at);

create table receipt_sendings (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sending_id text not null,
  sale_id text not null,
  way text not null check (way in ('EMAIL', 'MESSAGE')),
  recipient text not null,
  link_id text,
  mail_id text,
  staff_id text not null,
  language text not null,
  state text not null check (state in ('WAITING', 'SENT', 'FAILED')),
  fault text,
  created_at ${whole} not null,
  ended_at ${whole},
  channel text check (channel in ('SMS', 'WHATSAPP')),
  receiver text,
  failures ${whole} not null default 0,
  primary key (account_id, environment, sending_id),
  foreign key (account_id, environment, sale_id) references sales
) ${tableEnd};

create index receipt_sendings_by_sale on receipt_sendings (account_id, environment, sale_id,
  created_at);

create index receipt_sendings_addressed on receipt_sendings (account_id, created_at)
  where recipient <> '';

create index receipt_sendings_newest on receipt_sendings (account_id, created_at, environment,
  sending_id);

create index receipt_sendings_by_state on receipt_sendings (account_id, state, created_at,
  environment, sending_id);

create table bulk_runs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  run_id text not null,
  name text not null,
  staff_id text not null,
  state text not null check (state in ('CHECKING', 'CHECKED', 'RUNNING', 'PAUSED', 'STOPPED',
    'DONE')),
  pause text,
  request_hash text not null,
  digest text,
  tender text check (tender in ('CASH', 'CARD', 'OTHER')),
  reference text,
  created_at ${whole} not null,
  confirmed_at ${whole},
  ended_at ${whole},
  checksum ${whole},
  tender_id text not null default '',
  primary key (account_id, environment, run_id),
  foreign key (account_id, staff_id) references staff,
  check ((pause is not null) = (state = 'PAUSED')),
  check ((confirmed_at is null) = (state in ('CHECKING', 'CHECKED'))),
  check ((confirmed_at is null) = (tender is null)),
  check ((ended_at is not null) = (state in ('STOPPED', 'DONE')))
) ${tableEnd};

create index bulk_runs_newest on bulk_runs (account_id, environment, created_at desc);

create index bulk_runs_confirmed on bulk_runs (account_id, environment, digest, confirmed_at)
  where confirmed_at is not null;

create table bulk_lines (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  run_id text not null,
  line ${whole} not null,
  state text not null check (state in ('UNCHECKED', 'FAULTY', 'READY', 'SOLD', 'REFUSED', 'LEFT')),
  cells_json text not null,
  faults_json text not null default '[]',
  warnings_json text not null default '[]',
  input_json text,
  title text not null default '',
  recipient text not null default '',
  note text not null default '',
  price ${whole} check (price >= 0),
  price_now ${whole} check (price_now >= 0),
  cost ${whole} check (cost >= 0),
  sale_id text,
  transaction_id text,
  sold_at ${whole},
  refusal_code text,
  refusal_message text,
  checksum ${whole},
  primary key (account_id, environment, run_id, line),
  foreign key (account_id, environment, run_id) references bulk_runs,
  check ((state = 'SOLD') = (sold_at is not null)),
  check (state not in ('READY', 'SOLD') or (input_json is not null and price is not null and cost is
    not null and sale_id is not null and transaction_id is not null))
) ${tableEnd};

create index bulk_lines_by_state on bulk_lines (account_id, environment, run_id, state, line);

create unique index bulk_lines_sold on bulk_lines (account_id, environment, sold_at desc,
  transaction_id)
  where sold_at is not null;

create unique index bulk_lines_of_transaction on bulk_lines (account_id, environment,
  transaction_id)
  where sold_at is not null;

${guard({
  name: "bulk_lines_sold_once",
  event: "before update",
  table: "bulk_lines",
  condition: `old.state = 'SOLD' and (new.state is distinct from old.state or new.transaction_id is distinct from old.transaction_id or new.price is distinct from old.price)`,
  message: "a line that was sold stays sold",
})}
`;
}
