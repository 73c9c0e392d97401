-- Made by server/db/dump-schema.ts from the migrations. Review it as a diff.

CREATE TRIGGER audit_trail_counted after insert on audit_trail
    begin insert into audit_counts (account_id, entries) values (new.account_id, 1)
      on conflict (account_id) do update set entries = audit_counts.entries + 1; end;

CREATE TRIGGER audit_trail_no_delete before delete on audit_trail
  begin select raise(abort, 'audit_trail is append-only'); end;

CREATE TRIGGER audit_trail_no_update before update on audit_trail
  begin select raise(abort, 'audit_trail is append-only'); end;

CREATE TRIGGER bulk_lines_sold_once before update on bulk_lines
  when old.state = 'SOLD' and (new.state is not old.state
    or new.transaction_id is not old.transaction_id or new.price is not old.price) begin
  select raise(abort, 'a line that was sold stays sold');
  end;

CREATE TRIGGER cash_deposits_no_delete before delete on cash_deposits
    begin select raise(abort, 'cash_deposits is append-only'); end;

CREATE TRIGGER cash_deposits_no_update before update on cash_deposits
    begin select raise(abort, 'cash_deposits is append-only'); end;

CREATE TRIGGER customer_refund_lines_figures after insert on customer_refund_lines
    begin insert into figure_quarters (account_id, environment, currency, quarter, paid_refunded, check_sum)
  select s.account_id, s.environment, s.currency, b.created_at / 900000, sum(l.price - l.discount), 43 * sum(l.price - l.discount)
  from customer_refund_lines g
  join customer_refunds b on b.account_id = g.account_id and b.environment = g.environment and b.customer_refund_id = g.customer_refund_id
  join sale_lines l on l.account_id = g.account_id and l.environment = g.environment and l.transaction_id = g.transaction_id
  join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0 where g.account_id = new.account_id and g.environment = new.environment and g.transaction_id = new.transaction_id
  group by s.account_id, s.environment, s.currency, b.created_at / 900000
  on conflict (account_id, environment, currency, quarter) do update set
    paid_refunded = figure_quarters.paid_refunded + excluded.paid_refunded, check_sum = figure_quarters.check_sum + excluded.check_sum;
      delete from owed_lines where account_id = new.account_id
        and environment = new.environment and transaction_id = new.transaction_id; end;

CREATE TRIGGER customer_refund_lines_no_delete before delete on customer_refund_lines
  begin select raise(abort, 'customer_refund_lines is append-only'); end;

CREATE TRIGGER customer_refund_lines_no_update before update on customer_refund_lines
  begin select raise(abort, 'customer_refund_lines is append-only'); end;

CREATE TRIGGER customer_refund_tenders_figures after insert on customer_refund_tenders
  begin insert into figure_quarters (account_id, environment, currency, quarter, cash_back, card_back, other_back, check_sum)
  select s.account_id, s.environment, s.currency, b.created_at / 900000, sum(iif(t.kind = 'CASH', t.amount, 0)), sum(iif(t.kind = 'CARD', t.amount, 0)), sum(iif(t.kind = 'OTHER', t.amount, 0)), 33 * sum(iif(t.kind = 'CASH', t.amount, 0)) + 35 * sum(iif(t.kind = 'CARD', t.amount, 0)) + 37 * sum(iif(t.kind = 'OTHER', t.amount, 0)) from customer_refund_tenders t
    cross join customer_refunds b on b.account_id = t.account_id and b.environment = t.environment and b.customer_refund_id = t.customer_refund_id
    cross join sales s on s.account_id = b.account_id and s.environment = b.environment and s.sale_id = b.sale_id and s.training = 0 where t.account_id = new.account_id and t.environment = new.environment and t.customer_refund_id = new.customer_refund_id and t.kind = new.kind and t.tender_id = new.tender_id
  group by s.account_id, s.environment, s.currency, b.created_at / 900000
  on conflict do update set cash_back = cash_back + excluded.cash_back, card_back = card_back + excluded.card_back, other_back = other_back + excluded.other_back, check_sum = check_sum + excluded.check_sum; end;

CREATE TRIGGER customer_refund_tenders_named after insert on customer_refund_tenders
  when new.tender_id <> ''
  begin insert into figure_tenders (account_id, environment, currency, tender_id, quarter, taken_back, check_sum)
  select s.account_id, s.environment, s.currency, new.tender_id, b.created_at / 900000, new.amount,
    3 * new.amount
  from customer_refunds b cross join sales s on s.account_id = b.account_id
    and s.environment = b.environment and s.sale_id = b.sale_id
  where b.account_id = new.account_id and b.environment = new.environment
    and b.customer_refund_id = new.customer_refund_id and s.training = 0
  on conflict (account_id, environment, currency, tender_id, quarter) do update set taken_back = taken_back + excluded.taken_back,
    check_sum = check_sum + excluded.check_sum; end;

CREATE TRIGGER customer_refund_tenders_no_delete before delete on customer_refund_tenders
  begin select raise(abort, 'customer_refund_tenders is append-only'); end;

CREATE TRIGGER customer_refund_tenders_no_update before update on customer_refund_tenders
  begin select raise(abort, 'customer_refund_tenders is append-only'); end;

CREATE TRIGGER customer_refunds_figures after insert on customer_refunds
  when new.cash_rounding <> 0
  begin
  insert into figure_quarters
    (account_id, environment, currency, quarter, cash_rounding, check_sum)
  select s.account_id, s.environment, s.currency, new.created_at / 900000,
    -new.cash_rounding, 25 * -new.cash_rounding
  from sales s where s.account_id = new.account_id and s.environment = new.environment
    and s.sale_id = new.sale_id and s.training = 0
  on conflict do update set cash_rounding = cash_rounding + excluded.cash_rounding,
    check_sum = check_sum + excluded.check_sum;
  end;

CREATE TRIGGER customer_refunds_no_delete before delete on customer_refunds
  begin select raise(abort, 'customer_refunds is append-only'); end;

CREATE TRIGGER customer_refunds_no_update before update on customer_refunds
  begin select raise(abort, 'customer_refunds is append-only'); end;

CREATE TRIGGER ledger_entries_no_delete before delete on ledger_entries
  begin select raise(abort, 'ledger_entries is append-only'); end;

CREATE TRIGGER ledger_entries_no_update before update on ledger_entries
  begin select raise(abort, 'ledger_entries is append-only'); end;

CREATE TRIGGER ledger_postings_changes after insert on ledger_postings
  begin
  insert into changes (account_id, environment, topic, subject, changed_at)
  values (new.account_id, new.environment, 'wallet', 'balance', new.posted_at);
  end;

CREATE TRIGGER ledger_postings_no_delete before delete on ledger_postings
  begin select raise(abort, 'ledger_postings is append-only'); end;

CREATE TRIGGER ledger_postings_no_update before update on ledger_postings
  begin select raise(abort, 'ledger_postings is append-only'); end;

CREATE TRIGGER price_lists_never_change before update of list_json, starts_at, saved_at, staff_id, note
  on price_lists begin
  select raise(abort, 'a saved price list never changes');
  end;

CREATE TRIGGER receipt_prints_no_delete before delete on receipt_prints
  begin select raise(abort, 'receipt_prints is append-only'); end;

CREATE TRIGGER receipt_prints_no_update before update on receipt_prints
  begin select raise(abort, 'receipt_prints is append-only'); end;

CREATE TRIGGER recharge_payments_never_change
  before update of paid, currency, average, recharged_at on recharge_payments begin
  select raise(abort, 'what was paid for a recharge never changes');
  end;

CREATE TRIGGER recharge_reversals_no_delete before delete on recharge_reversals
    begin select raise(abort, 'recharge_reversals is append-only'); end;

CREATE TRIGGER recharge_reversals_no_update before update on recharge_reversals
    begin select raise(abort, 'recharge_reversals is append-only'); end;

CREATE TRIGGER sale_lines_figures after insert on sale_lines
  begin insert into figure_quarters (account_id, environment, currency, quarter, sales, cash_rounding, lines, paid, discount, tax, cost, wallet_cost, check_sum)
  select s.account_id, s.environment, s.currency, l.created_at / 900000, sum((l.position = 0)), sum(iif(l.position = 0, s.cash_rounding, 0)), sum(1), sum(l.price - l.discount), sum(l.discount), sum(l.tax), sum(l.cost), sum(p.cost_base + p.cost_fee), 1 * sum((l.position = 0)) + 25 * sum(iif(l.position = 0, s.cash_rounding, 0)) + 3 * sum(1) + 5 * sum(l.price - l.discount) + 7 * sum(l.discount) + 9 * sum(l.tax) + 11 * sum(l.cost) + 13 * sum(p.cost_base + p.cost_fee) from sale_lines l cross join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
    cross join purchases p on p.account_id = l.account_id and p.environment = l.environment and p.transaction_id = l.transaction_id where l.account_id = new.account_id and l.environment = new.environment and l.sale_id = new.sale_id and l.position = new.position
  group by s.account_id, s.environment, s.currency, l.created_at / 900000
  on conflict do update set sales = sales + excluded.sales, cash_rounding = cash_rounding + excluded.cash_rounding, lines = lines + excluded.lines, paid = paid + excluded.paid, discount = discount + excluded.discount, tax = tax + excluded.tax, cost = cost + excluded.cost, wallet_cost = wallet_cost + excluded.wallet_cost, check_sum = check_sum + excluded.check_sum;
  insert into figure_days (account_id, environment, dimension, value, day, currency, sales, lines, paid, discount, tax, cost, wallet_cost, check_sum)
  select s.account_id, s.environment, d.dimension, case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
      when 'COUNTRY' then p.country when 'CLERK' then s.staff_id else s.till end, l.created_at / 86400000, s.currency, sum((l.position = 0 and d.dimension = 'CLERK')), sum(1), sum(l.price - l.discount), sum(l.discount), sum(l.tax), sum(l.cost), sum(p.cost_base + p.cost_fee), 1 * sum((l.position = 0 and d.dimension = 'CLERK')) + 3 * sum(1) + 5 * sum(l.price - l.discount) + 7 * sum(l.discount) + 9 * sum(l.tax) + 11 * sum(l.cost) + 13 * sum(p.cost_base + p.cost_fee) from sale_lines l cross join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
    cross join purchases p on p.account_id = l.account_id and p.environment = l.environment and p.transaction_id = l.transaction_id join (select 'FAMILY' as dimension union all select 'BRAND'
    union all select 'COUNTRY' union all select 'CLERK' union all select 'TILL') d where l.account_id = new.account_id and l.environment = new.environment and l.sale_id = new.sale_id and l.position = new.position
  group by s.account_id, s.environment, d.dimension, case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
      when 'COUNTRY' then p.country when 'CLERK' then s.staff_id else s.till end, l.created_at / 86400000, s.currency
  on conflict do update set sales = sales + excluded.sales, lines = lines + excluded.lines, paid = paid + excluded.paid, discount = discount + excluded.discount, tax = tax + excluded.tax, cost = cost + excluded.cost, wallet_cost = wallet_cost + excluded.wallet_cost, check_sum = check_sum + excluded.check_sum; insert into owed_lines
  select l.account_id, l.environment, l.transaction_id, l.sale_id, l.price - l.discount,
    s.currency, t.finished_at
  from transactions t join sale_lines l on l.account_id = t.account_id and l.environment = t.environment and l.transaction_id = t.transaction_id
  join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
  where t.status = 'FAILED' and l.price > l.discount and l.account_id = new.account_id and l.environment = new.environment and l.transaction_id = new.transaction_id; end;

CREATE TRIGGER sale_tenders_figures after insert on sale_tenders
  begin insert into figure_quarters (account_id, environment, currency, quarter, cash, card, other, check_sum)
  select s.account_id, s.environment, s.currency, s.created_at / 900000, sum(iif(t.kind = 'CASH', t.amount, 0)), sum(iif(t.kind = 'CARD', t.amount, 0)), sum(iif(t.kind = 'OTHER', t.amount, 0)), 27 * sum(iif(t.kind = 'CASH', t.amount, 0)) + 29 * sum(iif(t.kind = 'CARD', t.amount, 0)) + 31 * sum(iif(t.kind = 'OTHER', t.amount, 0)) from sale_tenders t cross join sales s on s.account_id = t.account_id and s.environment = t.environment and s.sale_id = t.sale_id and s.training = 0 where t.account_id = new.account_id and t.environment = new.environment and t.sale_id = new.sale_id and t.position = new.position
  group by s.account_id, s.environment, s.currency, s.created_at / 900000
  on conflict do update set cash = cash + excluded.cash, card = card + excluded.card, other = other + excluded.other, check_sum = check_sum + excluded.check_sum; end;

CREATE TRIGGER sale_tenders_named after insert on sale_tenders when new.tender_id <> ''
  begin insert into figure_tenders (account_id, environment, currency, tender_id, quarter, taken, check_sum)
  select s.account_id, s.environment, s.currency, new.tender_id, s.created_at / 900000, new.amount,
    1 * new.amount
  from sales s where s.account_id = new.account_id and s.environment = new.environment
    and s.sale_id = new.sale_id and s.training = 0
  on conflict (account_id, environment, currency, tender_id, quarter) do update set taken = taken + excluded.taken,
    check_sum = check_sum + excluded.check_sum; end;

CREATE TRIGGER sale_tenders_no_delete before delete on sale_tenders
  begin select raise(abort, 'sale_tenders is append-only'); end;

CREATE TRIGGER sale_tenders_no_update before update on sale_tenders
  begin select raise(abort, 'sale_tenders is append-only'); end;

CREATE TRIGGER shift_movements_no_delete before delete on shift_movements
  begin select raise(abort, 'shift_movements is append-only'); end;

CREATE TRIGGER shift_movements_no_update before update on shift_movements
  begin select raise(abort, 'shift_movements is append-only'); end;

CREATE TRIGGER shifts_closed before update on shifts when old.closed_at is not null
  begin select raise(abort, 'a closed shift is final'); end;

CREATE TRIGGER transaction_log_changes after insert on transaction_log
  begin
  insert into changes (account_id, environment, topic, subject, changed_at)
  values (new.account_id, new.environment, 'purchase', new.transaction_id, new.logged_at);
  end;

CREATE TRIGGER transaction_log_no_delete before delete on transaction_log
  begin select raise(abort, 'transaction_log is append-only'); end;

CREATE TRIGGER transaction_log_no_update before update on transaction_log
  begin select raise(abort, 'transaction_log is append-only'); end;

CREATE TRIGGER transactions_count after insert on transactions
  begin update commit_count set transactions = transactions + 1 where one = 1; end;

CREATE TRIGGER transactions_counted_finish after update of finished_at on transactions
  when old.finished_at is null and new.finished_at is not null and new.training = 0
  begin insert into transaction_counts
  (account_id, environment, width, product_type, status, type, period, finished)
  values 
  (new.account_id, new.environment, 22, new.product_type, new.status, new.type,
    new.created_at >> 22, 1),
  (new.account_id, new.environment, 28, new.product_type, new.status, new.type,
    new.created_at >> 28, 1),
  (new.account_id, new.environment, 34, new.product_type, new.status, new.type,
    new.created_at >> 34, 1)
  on conflict (account_id, environment, width, product_type, status, type, period)
  do update set finished = finished + 1; end;

CREATE TRIGGER transactions_counted_insert after insert on transactions
  when new.finished_at is not null and new.training = 0
  begin insert into transaction_counts
  (account_id, environment, width, product_type, status, type, period, finished)
  values 
  (new.account_id, new.environment, 22, new.product_type, new.status, new.type,
    new.created_at >> 22, 1),
  (new.account_id, new.environment, 28, new.product_type, new.status, new.type,
    new.created_at >> 28, 1),
  (new.account_id, new.environment, 34, new.product_type, new.status, new.type,
    new.created_at >> 34, 1)
  on conflict (account_id, environment, width, product_type, status, type, period)
  do update set finished = finished + 1; end;

CREATE TRIGGER transactions_failed_figures after update of finished_at on transactions
    when new.status = 'FAILED' and old.finished_at is null and new.training = 0 begin insert into figure_quarters (account_id, environment, currency, quarter, lines_back, paid_back, tax_back, cost_back, wallet_cost_back, discount_back, check_sum)
  select s.account_id, s.environment, s.currency, t.finished_at / 900000, sum(1), sum(l.price - l.discount), sum(l.tax), sum(l.cost), sum(p.cost_base + p.cost_fee), sum(l.discount), 15 * sum(1) + 17 * sum(l.price - l.discount) + 19 * sum(l.tax) + 21 * sum(l.cost) + 23 * sum(p.cost_base + p.cost_fee) + 39 * sum(l.discount)
  from transactions t join sale_lines l on l.account_id = t.account_id and l.environment = t.environment and l.transaction_id = t.transaction_id
  join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
  join purchases p on p.account_id = l.account_id and p.environment = l.environment and p.transaction_id = l.transaction_id where t.account_id = new.account_id and t.environment = new.environment and t.transaction_id = new.transaction_id
  group by s.account_id, s.environment, s.currency, t.finished_at / 900000
  on conflict (account_id, environment, currency, quarter) do update set
    lines_back = figure_quarters.lines_back + excluded.lines_back, paid_back = figure_quarters.paid_back + excluded.paid_back, tax_back = figure_quarters.tax_back + excluded.tax_back, cost_back = figure_quarters.cost_back + excluded.cost_back, wallet_cost_back = figure_quarters.wallet_cost_back + excluded.wallet_cost_back, discount_back = figure_quarters.discount_back + excluded.discount_back, check_sum = figure_quarters.check_sum + excluded.check_sum;
insert into figure_days (account_id, environment, dimension, value, day, currency, lines_back, paid_back, tax_back, cost_back, wallet_cost_back, discount_back, check_sum)
  select s.account_id, s.environment, d.dimension, case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
    when 'COUNTRY' then p.country when 'CLERK' then s.staff_id else s.till end, t.finished_at / 86400000, s.currency, sum(1), sum(l.price - l.discount), sum(l.tax), sum(l.cost), sum(p.cost_base + p.cost_fee), sum(l.discount), 15 * sum(1) + 17 * sum(l.price - l.discount) + 19 * sum(l.tax) + 21 * sum(l.cost) + 23 * sum(p.cost_base + p.cost_fee) + 39 * sum(l.discount)
  from transactions t join sale_lines l on l.account_id = t.account_id and l.environment = t.environment and l.transaction_id = t.transaction_id
  join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
  join purchases p on p.account_id = l.account_id and p.environment = l.environment and p.transaction_id = l.transaction_id join (select 'FAMILY' as dimension union all select 'BRAND'
  union all select 'COUNTRY' union all select 'CLERK' union all select 'TILL') d on 1 = 1 where t.account_id = new.account_id and t.environment = new.environment and t.transaction_id = new.transaction_id
  group by s.account_id, s.environment, d.dimension, case d.dimension when 'FAMILY' then l.product_type when 'BRAND' then p.brand
    when 'COUNTRY' then p.country when 'CLERK' then s.staff_id else s.till end, t.finished_at / 86400000, s.currency
  on conflict (account_id, environment, dimension, value, day, currency) do update set
    lines_back = figure_days.lines_back + excluded.lines_back, paid_back = figure_days.paid_back + excluded.paid_back, tax_back = figure_days.tax_back + excluded.tax_back, cost_back = figure_days.cost_back + excluded.cost_back, wallet_cost_back = figure_days.wallet_cost_back + excluded.wallet_cost_back, discount_back = figure_days.discount_back + excluded.discount_back, check_sum = figure_days.check_sum + excluded.check_sum;
insert into figure_quarters (account_id, environment, currency, quarter, sales_back, check_sum)
  select s.account_id, s.environment, s.currency, f.failed_at / 900000, sum(1), 41 * sum(1)
  from (select l.account_id, l.environment, l.sale_id, max(t.finished_at) as failed_at
      from sale_lines l join transactions t on t.account_id = l.account_id and t.environment = l.environment and t.transaction_id = l.transaction_id
      where l.account_id = new.account_id and l.environment = new.environment
        and l.sale_id = (select n.sale_id from sale_lines n where n.account_id = new.account_id and n.environment = new.environment and n.transaction_id = new.transaction_id)
      group by l.account_id, l.environment, l.sale_id
      having sum(case when t.status = 'FAILED' then 0 else 1 end) = 0) f
    join sales s on s.account_id = f.account_id and s.environment = f.environment and s.sale_id = f.sale_id and s.training = 0
  group by s.account_id, s.environment, s.currency, f.failed_at / 900000
  on conflict (account_id, environment, currency, quarter) do update set
    sales_back = figure_quarters.sales_back + excluded.sales_back, check_sum = figure_quarters.check_sum + excluded.check_sum; end;

CREATE TRIGGER transactions_final before update on transactions
  when old.status in ('DONE', 'FAILED') and (new.status <> old.status or new.amount <> old.amount)
  begin select raise(abort, 'a finished transaction is final'); end;

CREATE TRIGGER transactions_owed after update of finished_at on transactions
  when new.status = 'FAILED' and old.finished_at is null and new.training = 0
  begin insert into owed_lines
  select l.account_id, l.environment, l.transaction_id, l.sale_id, l.price - l.discount,
    s.currency, t.finished_at
  from transactions t join sale_lines l on l.account_id = t.account_id and l.environment = t.environment and l.transaction_id = t.transaction_id
  join sales s on s.account_id = l.account_id and s.environment = l.environment and s.sale_id = l.sale_id and s.training = 0
  where t.status = 'FAILED' and l.price > l.discount and t.account_id = new.account_id and t.environment = new.environment
  and t.transaction_id = new.transaction_id; end;

CREATE TRIGGER webhook_deliveries_counted_delete after delete on webhook_deliveries
  begin insert into webhook_delivery_counts (account_id, environment, state, endpoint_id, deliveries)
  values (old.account_id, old.environment, old.state, old.endpoint_id, -1)
  on conflict (account_id, environment, state, endpoint_id) do update set deliveries = deliveries + -1; end;

CREATE TRIGGER webhook_deliveries_counted_insert after insert on webhook_deliveries
  begin insert into webhook_delivery_counts (account_id, environment, state, endpoint_id, deliveries)
  values (new.account_id, new.environment, new.state, new.endpoint_id, 1)
  on conflict (account_id, environment, state, endpoint_id) do update set deliveries = deliveries + 1; end;

CREATE TRIGGER webhook_deliveries_counted_state after update of state on webhook_deliveries
  when old.state <> new.state
  begin insert into webhook_delivery_counts (account_id, environment, state, endpoint_id, deliveries)
  values (old.account_id, old.environment, old.state, old.endpoint_id, -1)
  on conflict (account_id, environment, state, endpoint_id) do update set deliveries = deliveries + -1; insert into webhook_delivery_counts (account_id, environment, state, endpoint_id, deliveries)
  values (new.account_id, new.environment, new.state, new.endpoint_id, 1)
  on conflict (account_id, environment, state, endpoint_id) do update set deliveries = deliveries + 1; end;

CREATE TRIGGER z_report_prints_no_delete before delete on z_report_prints
  begin select raise(abort, 'z_report_prints is append-only'); end;

CREATE TRIGGER z_report_prints_no_update before update on z_report_prints
  begin select raise(abort, 'z_report_prints is append-only'); end;

CREATE TRIGGER z_reports_no_delete before delete on z_reports
  begin select raise(abort, 'z_reports is append-only'); end;

CREATE TRIGGER z_reports_no_update before update on z_reports
  begin select raise(abort, 'z_reports is append-only'); end;

CREATE TABLE accounting_settings (
  account_id text not null primary key references accounts,
  settings_json text not null
) strict;

CREATE TABLE accounts (
  account_id text primary key,
  wallet_currency text not null,
  wallet_currency_divisor integer not null check (wallet_currency_divisor in (1, 10, 100, 1000)),
  created_at integer not null
  , lookup_enabled integer not null default 1
  check (lookup_enabled in (0, 1)), idle_lock_minutes integer not null default 3
  check (idle_lock_minutes between 0 and 120), time_zone text, receipt_text_json text not null
  default '{"address":[],"support":[]}', keep_details_days integer not null default 90, printer_ports_json text not null default '[]', checksum integer, cash_step integer not null default 0
  check (cash_step between 0 and 100000), day_starts_at integer not null default 0
  check (day_starts_at between 0 and 360 and day_starts_at % 30 = 0), tenders_json text not null
  default '{"revision":0,"list":[]}', confirm_number text not null default 'NEVER'
  check (confirm_number in ('NEVER', 'NEW', 'ALWAYS')), keep_numbers_days integer not null default 0
    check (keep_numbers_days >= 0), clock_newest integer, clock_accepted_at integer) strict;

CREATE TABLE alert_mail (
  account_id text not null primary key references accounts,
  settings_json text not null,
  sent_at integer
  , known_kinds_json text) strict;

CREATE TABLE alerts (
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
  opened_at integer not null,
  resolved_at integer,
  silenced_at integer,
  silenced_by text check ((silenced_at is null) = (silenced_by is null)),
  mail_due_at integer check (mail_due_at is null or resolved_at is null),
  primary key (account_id, alert_id)
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
  , checksum integer) strict;

CREATE TABLE approvals (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  approval_id text not null,
  requested_by text not null,
  approved_by text not null,
  subject text not null,
  needs text not null,
  created_at integer not null,
  expires_at integer not null,
  used_at integer, request_digest text not null default '', facts_json text not null default '{}', checksum integer,
  primary key (account_id, environment, approval_id),
  foreign key (account_id, requested_by) references staff,
  foreign key (account_id, approved_by) references staff
) strict;

CREATE TABLE audit_counts (
      account_id text not null primary key references accounts,
      entries integer not null
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

CREATE TABLE brand_logos (
        account_id text not null references accounts,
        brand text not null,
        digest text not null,
        media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
        width integer not null,
        height integer not null,
        content blob not null,
        primary key (account_id, brand)
      ) strict;

CREATE TABLE brand_states (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  brand text not null,
  failures integer not null default 0 check (failures >= 0),
  paused_since integer,
  pause_reason text check (pause_reason in ('auto', 'manual')),
  next_probe_at integer,
  primary key (account_id, environment, brand),
  check ((paused_since is null) = (pause_reason is null)),
  check ((next_probe_at is not null) = (pause_reason is 'auto'))
) strict;

CREATE TABLE "brands" (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation integer not null,
  brand text not null,
  brand_name text not null,
  detail_json text not null,
  checksum integer,
  primary key (account_id, environment, generation, brand)
) strict;

CREATE TABLE bulk_lines (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  run_id text not null,
  line integer not null,
  state text not null
    check (state in ('UNCHECKED', 'FAULTY', 'READY', 'SOLD', 'REFUSED', 'LEFT')),
  cells_json text not null,
  faults_json text not null default '[]',
  warnings_json text not null default '[]',
  input_json text,
  title text not null default '',
  recipient text not null default '',
  note text not null default '',
  price integer check (price >= 0),
  price_now integer check (price_now >= 0),
  cost integer check (cost >= 0),
  sale_id text,
  transaction_id text,
  sold_at integer,
  refusal_code text,
  refusal_message text,
  checksum integer,
  primary key (account_id, environment, run_id, line),
  foreign key (account_id, environment, run_id) references bulk_runs,
  check ((state = 'SOLD') = (sold_at is not null)),
  check (state not in ('READY', 'SOLD') or (input_json is not null and price is not null
    and cost is not null and sale_id is not null and transaction_id is not null))
) strict;

CREATE TABLE bulk_runs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  run_id text not null,
  name text not null,
  staff_id text not null,
  state text not null
    check (state in ('CHECKING', 'CHECKED', 'RUNNING', 'PAUSED', 'STOPPED', 'DONE')),
  pause text,
  request_hash text not null,
  digest text,
  tender text check (tender in ('CASH', 'CARD', 'OTHER')),
  reference text,
  created_at integer not null,
  confirmed_at integer,
  ended_at integer,
  checksum integer, tender_id text not null default '',
  primary key (account_id, environment, run_id),
  foreign key (account_id, staff_id) references staff,
  check ((pause is not null) = (state = 'PAUSED')),
  check ((confirmed_at is null) = (state in ('CHECKING', 'CHECKED'))),
  check ((confirmed_at is null) = (tender is null)),
  check ((ended_at is not null) = (state in ('STOPPED', 'DONE')))
) strict;

CREATE TABLE cash_deposits (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live')),
      deposit_id text not null,
      kind text not null check (kind in ('DEPOSIT', 'WITHDRAWAL')),
      amount integer not null check (amount > 0),
      currency text not null,
      reference text not null,
      staff_id text not null,
      recorded_at integer not null,
      primary key (account_id, environment, deposit_id),
      foreign key (account_id, staff_id) references staff
    ) strict;

CREATE TABLE catalog_generations (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation integer not null,
  import_id text, written_by text, written_until integer,
  primary key (account_id, environment, generation)
) strict;

CREATE TABLE catalog_imports (
        account_id text not null references accounts,
        environment text not null check (environment in ('test', 'live')),
        import_id text not null,
        name text not null,
        bytes integer not null,
        checked_at integer not null,
        base_version integer not null,
        difference_json text not null,
        content blob not null,
        primary key (account_id, environment)
      ) strict;

CREATE TABLE catalog_updates (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  sequence integer not null,
  at integer not null,
  action text not null,
  source text not null,
  staff_id text,
  version integer,
  added integer not null,
  changed integer not null,
  removed integer not null,
  failure text,
  primary key (account_id, environment, sequence)
) strict;

CREATE TABLE catalog_upload_parts (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live')),
      import_id text not null,
      first_byte integer not null,
      content blob not null,
      primary key (account_id, environment, import_id, first_byte)
    ) strict;

CREATE TABLE catalog_uploads (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live')),
      import_id text not null,
      name text not null,
      bytes integer not null,
      received_bytes integer not null check (received_bytes between 0 and bytes),
      state text not null
        check (state in ('RECEIVING', 'CHECKING', 'FAULTY', 'SAME', 'WRITING', 'DONE', 'FAILED')),
      outcome_json text not null,
      staff_id text,
      touched_at integer not null,
      primary key (account_id, environment)
    ) strict;

CREATE TABLE catalogs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  version integer not null,
  source text not null,
  updated_at integer not null, generation integer not null default 1, choices integer not null default 0,
  primary key (account_id, environment)
) strict;

CREATE TABLE changes (
  change_id integer primary key autoincrement,
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  topic text not null,
  subject text not null,
  changed_at integer not null
) strict;

CREATE TABLE commit_count (
  one integer primary key check (one = 1),
  commits integer not null,
  transactions integer not null,
  committed_at integer not null
) strict;

CREATE TABLE commit_marks (
      mark_id text not null primary key,
      commits integer not null,
      committed_at integer not null
    ) strict;

CREATE TABLE "customer_refund_lines" (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  customer_refund_id text not null,
  sale_id text not null,
  amount integer not null check (amount >= 0),
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, customer_refund_id) references "customer_refunds",
  foreign key (account_id, environment, transaction_id)
    references sale_lines (account_id, environment, transaction_id)
) strict, without rowid;

CREATE TABLE customer_refund_tenders (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  customer_refund_id text not null,
  kind text not null check (kind in ('CASH', 'CARD', 'OTHER')),
  tender_id text not null default '',
  tender_name text not null default '',
  amount integer not null check (amount > 0),
  primary key (account_id, environment, customer_refund_id, kind, tender_id),
  foreign key (account_id, environment, customer_refund_id) references customer_refunds
) strict, without rowid;

CREATE TABLE "customer_refunds" (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  customer_refund_id text not null,
  sale_id text not null,
  staff_id text not null,
  approved_by text,
  amount integer not null check (amount >= 0),
  request_hash text not null,
  created_at integer not null, shift_id text references shifts (shift_id), cash_rounding integer not null default 0, till text not null default 'BEFORE',
  primary key (account_id, environment, customer_refund_id),
  foreign key (account_id, environment, sale_id) references sales,
  foreign key (account_id, staff_id) references staff,
  foreign key (account_id, approved_by) references staff
) strict;

CREATE TABLE database_identity (
      one integer not null primary key check (one = 1),
      identity text not null
    ) strict;

CREATE TABLE device_codes (
  account_id text not null references accounts,
  code_hash text not null,
  name text not null,
  expires_at integer not null,
  primary key (account_id, code_hash)
) strict, without rowid;

CREATE TABLE devices (
  account_id text not null references accounts,
  device_id text not null,
  name text not null,
  key_hash text not null,
  enrolled_at integer not null,
  seen_at integer not null,
  address text not null,
  revoked_at integer,
  checksum integer,
  primary key (account_id, device_id),
  unique (key_hash)
) strict;

CREATE TABLE environment_settings (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  queue_enabled integer not null check (queue_enabled in (0, 1)), checksum integer, numbers_erased_until integer not null default 0, numbers_rewritten_until text,
  primary key (account_id, environment)
) strict;

CREATE TABLE esims (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  iccid text not null,
  transaction_id text not null,
  created_at integer not null, checksum integer,
  primary key (account_id, environment, iccid),
  foreign key (account_id, environment, transaction_id) references purchases
) strict;

CREATE TABLE exports_begun (
      one integer not null primary key check (one = 1),
      number integer not null
    ) strict;

CREATE TABLE favourites (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  number text not null,
  name text not null,
  created_at integer not null,
  primary key (account_id, environment, number)
) strict;

CREATE TABLE figure_days (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  dimension text not null check (dimension in ('FAMILY', 'BRAND', 'COUNTRY', 'CLERK', 'TILL')),
  value text not null,
  day integer not null,
  currency text not null,
  sales integer not null default 0,
  lines integer not null default 0,
  paid integer not null default 0,
  discount integer not null default 0,
  tax integer not null default 0,
  cost integer not null default 0,
  wallet_cost integer not null default 0,
  lines_back integer not null default 0,
  paid_back integer not null default 0,
  tax_back integer not null default 0,
  cost_back integer not null default 0,
  wallet_cost_back integer not null default 0,
  check_sum integer not null default 0, "discount_back" integer not null default 0,
  primary key (account_id, environment, dimension, value, day, currency)
) strict, without rowid;

CREATE TABLE figure_quarters (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  currency text not null,
  quarter integer not null,
  sales integer not null default 0,
  lines integer not null default 0,
  paid integer not null default 0,
  discount integer not null default 0,
  tax integer not null default 0,
  cost integer not null default 0,
  wallet_cost integer not null default 0,
  lines_back integer not null default 0,
  paid_back integer not null default 0,
  tax_back integer not null default 0,
  cost_back integer not null default 0,
  wallet_cost_back integer not null default 0,
  cash_rounding integer not null default 0,
  cash integer not null default 0,
  card integer not null default 0,
  other integer not null default 0,
  cash_back integer not null default 0,
  card_back integer not null default 0,
  other_back integer not null default 0,
  check_sum integer not null default 0, "discount_back" integer not null default 0, "sales_back" integer not null default 0, "paid_refunded" integer not null default 0,
  primary key (account_id, environment, currency, quarter)
) strict, without rowid;

CREATE TABLE figure_tenders (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  currency text not null,
  tender_id text not null,
  quarter integer not null,
  taken integer not null default 0,
  taken_back integer not null default 0,
  check_sum integer not null default 0,
  primary key (account_id, environment, currency, tender_id, quarter)
) strict, without rowid;

CREATE TABLE going_live_notes (
  account_id text not null references accounts,
  note text not null,
  staff_id text not null,
  noted_at integer not null,
  detail_json text not null,
  primary key (account_id, note)
) strict, without rowid;

CREATE TABLE held_sales (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  held_sale_id text not null,
  label text not null,
  staff_id text not null,
  currency text not null,
  currency_divisor integer not null,
  total integer not null,
  lines_json text not null,
  request_hash text not null,
  held_at integer not null,
  ended_at integer,
  ended_by text,
  resume_id text, training integer not null default 0 check (training in (0, 1)), checksum integer,
  primary key (account_id, environment, held_sale_id),
  foreign key (account_id, staff_id) references staff,
  foreign key (account_id, ended_by) references staff,
  check ((ended_at is null) = (ended_by is null)),
  check (resume_id is null or ended_at is not null)
) strict;

CREATE TABLE jobs (
  kind text not null,
  subject text not null,
  run_at integer not null,
  attempts integer not null default 0,
  last_error text, revision integer not null default 0, lease_owner text, lease_until integer,
  primary key (kind, subject)
) strict, without rowid;

CREATE TABLE key_files (
      one integer not null primary key check (one = 1),
      key_id text not null
    ) strict;

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

CREATE TABLE "ledger_postings" (
  posting_id integer primary key autoincrement,
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  kind text not null check (kind in ('RECHARGE', 'HOLD', 'CAPTURE', 'RELEASE', 'REFUND')),
  posted_at integer not null,
  unique (account_id, environment, transaction_id, kind),
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE live_check_results (
  account_id text not null references accounts,
  check_name text not null,
  passed integer not null check (passed in (0, 1)),
  stops integer not null check (stops in (0, 1)),
  figures_json text not null,
  turned_red_at integer,
  checked_at integer not null,
  primary key (account_id, check_name)
) strict, without rowid;

CREATE TABLE mail_servers (
  account_id text not null primary key references accounts,
  host text not null,
  port integer not null,
  security text not null check (security in ('TLS', 'STARTTLS', 'NONE')),
  user_name text not null,
  password_sealed text,
  from_address text not null
) strict;

CREATE TABLE mails (
  account_id text not null references accounts,
  mail_id text not null,
  recipients_json text not null,
  subject text not null,
  body text not null,
  file_name text,
  attachment_name text,
  state text not null check (state in ('WAITING', 'SENT', 'FAILED')),
  fault text,
  created_at integer not null,
  sent_at integer, made_of text, again_at integer, given_up integer not null default 0,
  primary key (account_id, mail_id)
) strict;

CREATE TABLE number_checks (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  transaction_id text not null,
  checked_by text not null check (checked_by in ('CUSTOMER', 'CLERK')),
  primary key (account_id, environment, sale_id, transaction_id)
) strict, without rowid;

CREATE TABLE offer_switches (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  sequence integer not null check (sequence > 0),
  target_json text not null,
  enabled integer not null check (enabled in (0, 1)),
  offers integer not null,
  staff_id text,
  switched_at integer not null,
  undone_at integer,
  primary key (account_id, environment, sequence)
) strict;

CREATE TABLE "offers" (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation integer not null,
  offer_id text not null,
  product_type text not null,
  brand text not null,
  country text not null,
  offer_json text not null,
  created_at integer not null,
  updated_at integer not null,
  checksum integer,
  primary key (account_id, environment, generation, offer_id),
  foreign key (account_id, environment, generation, brand) references "brands"
) strict;

CREATE TABLE owed_lines (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  sale_id text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  failed_at integer not null,
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, sale_id) references sales
) strict, without rowid;

CREATE TABLE pilots (
  account_id text primary key references accounts,
  device_hash text,
  chosen_by text,
  most_per_sale integer not null check (most_per_sale > 0),
  most_per_day integer not null check (most_per_day > 0),
  covers_api integer not null check (covers_api in (0, 1)),
  started_at integer not null,
  ended_at integer
) strict, without rowid;

CREATE TABLE pin_guesses (
  guess_id integer primary key,
  account_id text not null,
  staff_id text not null,
  device_hash text,
  source text not null,
  guessed_at integer not null, checked integer not null default 1,
  foreign key (account_id, staff_id) references staff
) strict;

CREATE TABLE pinned_offers (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  product_type text not null,
  position integer not null,
  offer_id text not null,
  primary key (account_id, environment, product_type, position)
) strict;

CREATE TABLE price_lists (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  version integer not null check (version > 0),
  list_json text not null,
  starts_at integer not null,
  saved_at integer not null,
  staff_id text,
  note text not null,
  checksum integer,
  primary key (account_id, environment, version)
) strict;

CREATE TABLE price_losses (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  rule_id text not null,
  lost integer not null check (lost >= 0),
  checksum integer,
  primary key (account_id, environment, rule_id)
) strict;

CREATE TABLE print_records (
      account_id text not null references accounts,
      print_id text not null,
      environment text not null check (environment in ('test', 'live')),
      kind text not null check (kind in ('SALE', 'Z_REPORT')),
      subject text not null,
      copy_number integer not null check (copy_number >= 0),
      staff_id text not null,
      granted_rights text not null,
      state text not null check (state in ('NOT_BEGUN', 'BEGUN', 'PRINTED', 'REPLACED')),
      recorded_at integer not null,
      primary key (account_id, print_id)
    ) strict;

CREATE TABLE printers (
  account_id text not null references accounts,
  printer_id text not null,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  paper text not null check (paper in ('58mm', '80mm')),
  drawer integer not null check (drawer in (0, 1)),
  created_at integer not null, checksum integer, drawer_pin integer not null default 2
    check (drawer_pin in (2, 5)), line_letters integer not null default 48, head_dots integer not null default 576,
  primary key (account_id, printer_id)
) strict;

CREATE TABLE program_versions (
  entry_id integer primary key,
  kind text not null check (kind in ('STARTED', 'MIGRATED')),
  version text not null,
  recorded_at integer not null,
  backup text,
  commits integer check ((commits is null) = (backup is null))
) strict;

CREATE TABLE "promos" (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  generation integer not null,
  promo_id text not null,
  promo_json text not null,
  created_at integer not null,
  checksum integer,
  primary key (account_id, environment, generation, promo_id)
) strict;

CREATE TABLE provider_deviations (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live')),
      provider text not null,
      operation text not null check (operation in ('PURCHASE', 'REFUND', 'PLANS', 'BILL')),
      field text not null,
      kind text not null check (kind in ('MISSING', 'UNREADABLE', 'CONVERTED', 'DIFFERS')),
      needed integer not null check (needed in (0, 1)),
      count integer not null check (count > 0),
      first_at integer not null,
      last_at integer not null,
      last_reference text not null,
      primary key (account_id, environment, provider, operation, field, kind)
    ) strict;

CREATE TABLE purchase_losses (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live')),
      transaction_id text not null,
      rule_id text not null,
      lost integer not null check (lost > 0),
      primary key (account_id, environment, transaction_id)
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
  next_attempt_at integer, details_sealed text, details_state text
  check (details_state in ('CLEAR', 'SEALED', 'ERASED')), details_at integer, checksum integer, unknown_for_ms integer not null default 0 check (unknown_for_ms >= 0), sent_by text, sent_until integer, doubt text not null default 'NONE'
    check (doubt in ('NONE', 'LOST', 'ACCEPTED', 'BOOKED')), deviations_json text, answer_sealed text, answer_at integer, key_id text,
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE receipt_links (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  link_id text not null,
  token_hash text not null unique,
  sale_id text not null,
  staff_id text not null,
  language text not null,
  created_at integer not null,
  expires_at integer not null,
  revoked_at integer,
  revoked_by text,
  views integer not null default 0,
  first_viewed_at integer,
  last_viewed_at integer,
  details_shown integer not null default 0,
  primary key (account_id, environment, link_id),
  foreign key (account_id, environment, sale_id) references sales
) strict;

CREATE TABLE receipt_page_settings (
  account_id text not null primary key references accounts,
  enabled integer not null check (enabled in (0, 1)),
  public_url text not null,
  keep_days integer not null check (keep_days > 0),
  details_in_mail integer not null check (details_in_mail in (0, 1))
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

CREATE TABLE receipt_sendings (
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
  created_at integer not null,
  ended_at integer, channel text check (channel in ('SMS', 'WHATSAPP')), receiver text, failures integer not null default 0,
  primary key (account_id, environment, sending_id),
  foreign key (account_id, environment, sale_id) references sales
) strict;

CREATE TABLE recharge_payments (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  paid integer not null check (paid > 0),
  currency text not null,
  average text not null,
  recharged_at integer not null,
  checksum integer,
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE recharge_references (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  reference text not null check (reference <> ''),
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions
) strict;

CREATE TABLE recharge_reversals (
      account_id text not null,
      environment text not null check (environment in ('test', 'live')),
      transaction_id text not null,
      reversed_transaction_id text not null,
      reason text not null check (reason <> ''),
      staff_id text not null,
      primary key (account_id, environment, transaction_id),
      unique (account_id, environment, reversed_transaction_id),
      foreign key (account_id, environment, transaction_id) references transactions,
      foreign key (account_id, environment, reversed_transaction_id) references transactions,
      foreign key (account_id, staff_id) references staff
    ) strict;

CREATE TABLE recovery_kits (
      account_id text not null primary key references accounts,
      kit_id text not null,
      key_id text not null,
      made_at integer not null,
      content_json text not null
    ) strict;

CREATE TABLE refunds (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  transaction_id text not null,
  refunded_transaction_id text not null,
  failed integer not null default 0 check (failed in (0, 1)), unknown_for_ms integer not null default 0 check (unknown_for_ms >= 0), checksum integer,
  primary key (account_id, environment, transaction_id),
  foreign key (account_id, environment, transaction_id) references transactions,
  foreign key (account_id, environment, refunded_transaction_id) references purchases
) strict;

CREATE TABLE remembered_carriers (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  number text not null,
  brand text not null,
  updated_at integer not null,
  primary key (account_id, environment, number)
) strict;

CREATE TABLE report_log (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  report_id text not null,
  position integer not null,
  recorded_at integer not null,
  status text not null,
  message text not null,
  primary key (account_id, environment, report_id, position),
  foreign key (account_id, environment, report_id) references reports
) strict, without rowid;

CREATE TABLE report_parts (
      file_name text not null,
      part integer not null,
      content blob not null,
      primary key (file_name, part)
    ) strict;

CREATE TABLE report_schedules (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  schedule_id text not null,
  schedule_json text not null,
  next_at integer,
  last_day text,
  fault text,
  primary key (account_id, environment, schedule_id)
) strict;

CREATE TABLE reports (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  report_id text not null,
  status text not null check (status in ('REQUESTED', 'Ready', 'FAILED')),
  start_gte integer not null,
  end_lt integer not null check (end_lt > start_gte),
  file_name text,
  error_code text,
  error_description text,
  error_message text,
  created_at integer not null,
  updated_at integer not null,
  primary key (account_id, environment, report_id),
  check ((status = 'Ready') = (file_name is not null)),
  check ((status = 'FAILED') = (error_code is not null))
) strict;

CREATE TABLE restore_reviews (
      account_id text not null primary key references accounts,
      restored_at integer not null,
      taken_at integer not null,
      returned_json text
    ) strict;

CREATE TABLE retrieved_bills (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  offer_id text not null,
  bill_key text not null,
  amount_due integer not null check (amount_due >= 0),
  retrieved_at integer not null, checksum integer,
  primary key (account_id, environment, offer_id, bill_key)
) strict;

CREATE TABLE "sale_lines" (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  position integer not null,
  transaction_id text not null,
  product_type text not null,
  recipient text not null,
  price integer not null check (price >= 0),
  discount integer not null check (discount between 0 and price),
  created_at integer not null, checksum integer, cost integer not null default 0 check (cost >= 0), rate text not null default '1', tax integer not null default 0 check (tax >= 0), tax_kind text not null default 'NONE'
  check (tax_kind in ('NONE', 'ON_PRICE', 'ON_MARGIN')), tax_percent text not null default '0',
  primary key (account_id, environment, sale_id, position),
  unique (account_id, environment, transaction_id),
  foreign key (account_id, environment, sale_id) references sales,
  foreign key (account_id, environment, transaction_id) references purchases
) strict;

CREATE TABLE sale_tenders (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  position integer not null,
  kind text not null check (kind in ('CASH', 'CARD', 'OTHER')),
  amount integer not null check (amount >= 0),
  tendered integer check (tendered >= amount),
  reference text, tender_id text not null default '', tender_name text not null default '',
  primary key (account_id, environment, sale_id, position),
  foreign key (account_id, environment, sale_id) references sales,
  check ((kind = 'CASH') = (tendered is not null))
) strict, without rowid;

CREATE TABLE "sales" (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  sale_id text not null,
  sale_number integer not null,
  staff_id text not null,
  approved_by text,
  currency text not null,
  currency_divisor integer not null,
  total integer not null check (total >= 0),
  discount integer not null check (discount >= 0),
  request_hash text not null,
  created_at integer not null, shift_id text references shifts (shift_id), training integer not null default 0 check (training in (0, 1)), checksum integer, cash_rounding integer not null default 0, cash_step integer not null default 0 check (cash_step >= 0), till text not null default 'BEFORE',
  primary key (account_id, environment, sale_id),
  unique (account_id, environment, sale_number),
  foreign key (account_id, staff_id) references staff,
  foreign key (account_id, approved_by) references staff
) strict;

CREATE TABLE second_backup_places (
        account_id text not null primary key references accounts,
        dir text not null,
        missing integer not null,
        copied_at integer,
        problem_kind text check (problem_kind in ('AWAY', 'FULL', 'FAILED')),
        problem_text text,
        problem_at integer
      ) strict;

CREATE TABLE shared_memory (
      topic text not null,
      name text not null,
      number integer not null,
      content text,
      expires_at integer not null,
      primary key (topic, name)
    ) strict;

CREATE TABLE shift_movements (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  movement_id text not null,
  shift_id text not null,
  kind text not null check (kind in ('PAY_IN', 'PAY_OUT', 'DROP', 'NO_SALE')),
  amount integer not null check (amount >= 0),
  reason text not null,
  staff_id text not null,
  approved_by text,
  recorded_at integer not null,
  primary key (account_id, environment, movement_id),
  foreign key (account_id, environment, shift_id) references shifts,
  foreign key (account_id, staff_id) references staff,
  check ((kind = 'NO_SALE') = (amount = 0)),
  check (kind = 'DROP' or reason <> '')
) strict;

CREATE TABLE shifts (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  shift_id text not null unique,
  staff_id text not null,
  currency text not null,
  currency_divisor integer not null,
  opened_at integer not null,
  opening_float integer not null check (opening_float >= 0),
  count_json text,
  closed_at integer,
  primary key (account_id, environment, shift_id),
  foreign key (account_id, staff_id) references staff
) strict;

CREATE TABLE shop_logos (
        account_id text not null primary key references accounts,
        digest text not null,
        media_type text not null check (media_type in ('image/png', 'image/jpeg')),
        width integer not null,
        height integer not null,
        content blob not null
      ) strict;

CREATE TABLE shop_reports (
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
  created_at integer not null,
  finished_at integer, language text,
  primary key (account_id, environment, report_id)
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
  , rate_set_at integer, checksum integer, country text) strict;

CREATE TABLE simulator_orders (
  account_id text not null,
  transaction_id text not null,
  submissions integer not null,
  received_at integer not null,
  fulfilled_at integer,
  primary key (account_id, transaction_id)
) strict;

CREATE TABLE simulator_plans (
  account_id text not null,
  transaction_id text not null,
  iccid text not null,
  position integer not null,
  offer_id text not null,
  description text not null,
  data_gb real not null,
  unlimited integer not null check (unlimited in (0, 1)),
  duration_days integer not null,
  added_at integer not null,
  refunded_at integer,
  primary key (account_id, transaction_id),
  unique (account_id, iccid, position)
) strict;

CREATE TABLE staff (
  account_id text not null references accounts,
  staff_id text not null,
  name text not null collate nocase,
  pin_hash text not null,
  active integer not null check (active in (0, 1)),
  failed_attempts integer not null default 0,
  locked_until integer,
  created_at integer not null, rights_json text not null default '{}', limits_json text not null default '{}', signed_in_at integer, checksum integer, role text not null default 'clerk'
  check (role in ('clerk', 'supervisor', 'accountant', 'owner')), pin_given_at integer,
  primary key (account_id, staff_id),
  unique (account_id, name)
) strict;

CREATE TABLE staff_devices (
  account_id text not null,
  staff_id text not null,
  device_hash text not null,
  used_at integer not null,
  failed_attempts integer not null default 0,
  locked_until integer,
  primary key (account_id, staff_id, device_hash),
  foreign key (account_id, staff_id) references staff
) strict, without rowid;

CREATE TABLE staff_sessions (
  token_hash text primary key,
  account_id text not null,
  staff_id text not null,
  created_at integer not null,
  expires_at integer not null, training integer not null default 0
  check (training in (0, 1)), active_at integer not null default 0, device_id text,
  foreign key (account_id, staff_id) references staff
) strict;

CREATE TABLE storage_findings (
  finding_id integer primary key autoincrement,
  kind text not null check (kind in ('BOOKS', 'MISSING')),
  found_at integer not null,
  detail_json text not null,
  settled_at integer
) strict;

CREATE TABLE tills (
  account_id text not null references accounts,
  till_id text not null,
  number integer not null,
  name text not null,
  device_hash text not null,
  first_used_at integer not null,
  primary key (account_id, till_id),
  unique (account_id, device_hash),
  unique (account_id, number)
) strict, without rowid;

CREATE TABLE transaction_counts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  width integer not null,
  product_type text not null,
  status text not null check (status in ('DONE', 'FAILED')),
  type text not null check (type in ('DEBIT', 'CREDIT')),
  period integer not null,
  finished integer not null check (finished > 0),
  primary key (account_id, environment, width, product_type, status, type, period)
) strict, without rowid;

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
  needs_reconciliation integer not null default 0 check (needs_reconciliation in (0, 1)), training integer not null default 0 check (training in (0, 1)), checksum integer,
  primary key (account_id, environment, transaction_id),
  check ((status in ('DONE', 'FAILED')) = (finished_at is not null)),
  check ((status = 'FAILED') = (error_code is not null))
) strict;

CREATE TABLE upstreams (
  account_id text not null references accounts,
  environment text not null check (environment = 'live'),
  base_url text not null,
  key_sealed text,
  allow_private integer not null check (allow_private in (0, 1)),
  connected_at integer not null,
  hook_token_hash text unique,
  hook_secret_sealed text,
  balance integer,
  balance_at integer,
  synced_at integer,
  sync_report_json text,
  sync_failed_at integer,
  sync_failure text,
  fault_kind text,
  fault_message text,
  fault_at integer, checksum integer, approves_catalog integer not null default 0 check (approves_catalog in (0, 1)), clock_difference_ms integer, hook_base_url text,
  primary key (account_id, environment),
  check ((hook_token_hash is null) = (hook_secret_sealed is null)),
  check ((balance is null) = (balance_at is null)),
  check ((sync_failed_at is null) = (sync_failure is null)),
  check ((fault_kind is null) = (fault_at is null))
) strict;

CREATE TABLE waiting_catalogs (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  key_sealed text not null,
  fetched_at integer not null,
  difference_json text not null,
  content blob not null,
  primary key (account_id, environment)
) strict;

CREATE TABLE wallet_alerts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  low_amount integer check (low_amount > 0),
  low_hours integer check (low_hours > 0),
  primary key (account_id, environment)
) strict;

CREATE TABLE webhook_attempts (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
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
) strict, without rowid;

CREATE TABLE webhook_deliveries (
  sequence integer primary key autoincrement,
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  delivery_id text not null,
  endpoint_id text not null,
  transaction_id text not null,
  body text not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  failures integer not null default 0,
  next_attempt_at integer,
  created_at integer not null, sent_by text, sent_until integer,
  unique (account_id, environment, delivery_id),
  unique (account_id, environment, endpoint_id, transaction_id),
  foreign key (account_id, environment, endpoint_id) references webhook_endpoints,
  foreign key (account_id, environment, transaction_id) references transactions,
  check (next_attempt_at is null or state = 'PENDING')
) strict;

CREATE TABLE webhook_delivery_counts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  state text not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  endpoint_id text not null,
  deliveries integer not null,
  primary key (account_id, environment, state, endpoint_id)
) strict, without rowid;

CREATE TABLE "webhook_endpoints" (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  endpoint_id text not null,
  kind text not null,
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
  checksum integer, old_secret_sealed text, old_secret_until integer,
  primary key (account_id, environment, endpoint_id),
  check ((secret_sealed is null) = (removed_at is not null)),
  check ((failing_since is null) = (last_failed_at is null))
) strict;

CREATE TABLE write_probes (
  one integer primary key check (one = 1),
  filler blob not null
) strict;

CREATE TABLE z_report_prints (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  z_number integer not null,
  copy_number integer not null,
  staff_id text not null,
  printed_at integer not null,
  primary key (account_id, environment, z_number, copy_number),
  foreign key (account_id, environment, z_number) references z_reports
) strict, without rowid;

CREATE TABLE z_reports (
  account_id text not null,
  environment text not null check (environment in ('test', 'live')),
  z_number integer not null check (z_number > 0),
  shift_id text not null,
  staff_id text not null,
  closed_at integer not null,
  request_hash text not null,
  report_json text not null,
  primary key (account_id, environment, z_number),
  unique (account_id, environment, shift_id),
  foreign key (account_id, environment, shift_id) references shifts
) strict;

CREATE UNIQUE INDEX alerts_open
  on alerts (account_id, coalesce(environment, ''), kind, subject) where resolved_at is null;

CREATE INDEX alerts_resolved on alerts (account_id, resolved_at) where resolved_at is not null;

CREATE INDEX audit_trail_by_time on audit_trail (account_id, recorded_at);

CREATE INDEX audit_trail_of_action on audit_trail (account_id, action, entry_id);

CREATE INDEX audit_trail_of_staff on audit_trail (account_id, staff_id, entry_id);

CREATE INDEX audit_trail_of_subject on audit_trail (account_id, subject, entry_id);

CREATE INDEX brand_logos_by_digest on brand_logos (account_id, digest);

CREATE INDEX bulk_lines_by_state on bulk_lines (account_id, environment, run_id, state, line);

CREATE UNIQUE INDEX bulk_lines_of_transaction
  on bulk_lines (account_id, environment, transaction_id) where sold_at is not null;

CREATE UNIQUE INDEX bulk_lines_sold
  on bulk_lines (account_id, environment, sold_at desc, transaction_id)
  where sold_at is not null;

CREATE INDEX bulk_runs_confirmed on bulk_runs (account_id, environment, digest, confirmed_at)
  where confirmed_at is not null;

CREATE INDEX bulk_runs_newest on bulk_runs (account_id, environment, created_at desc);

CREATE INDEX cash_deposits_by_time
    on cash_deposits (account_id, environment, recorded_at);

CREATE INDEX catalog_uploads_by_time on catalog_uploads (touched_at);

CREATE INDEX changes_by_age on changes (changed_at);

CREATE INDEX customer_refund_lines_of_sale on customer_refund_lines (account_id, environment, sale_id);

CREATE INDEX customer_refunds_by_shift on customer_refunds (account_id, environment, shift_id);

CREATE INDEX customer_refunds_newest
  on customer_refunds (account_id, environment, created_at desc);

CREATE INDEX customer_refunds_of_sale on customer_refunds (account_id, environment, sale_id);

CREATE INDEX figure_days_by_day
  on figure_days (account_id, environment, dimension, day, value, currency);

CREATE INDEX held_sales_waiting on held_sales (account_id, environment, held_at desc)
  where ended_at is null;

CREATE INDEX jobs_due on jobs (run_at);

CREATE INDEX ledger_entries_by_account
  on ledger_entries (account_id, environment, name, posting_id);

CREATE INDEX ledger_postings_by_time
  on ledger_postings (account_id, environment, posted_at, posting_id);

CREATE INDEX ledger_postings_rare
  on ledger_postings (account_id, environment, kind, posted_at, posting_id)
  where kind in ('RECHARGE', 'RELEASE', 'REFUND');

CREATE UNIQUE INDEX ledger_postings_settle_once
  on ledger_postings (account_id, environment, transaction_id)
  where kind in ('CAPTURE', 'RELEASE');

CREATE INDEX mails_by_time on mails (account_id, created_at);

CREATE INDEX offer_switches_in_force on offer_switches (account_id, environment, sequence)
  where undone_at is null;

CREATE INDEX offers_by_brand on offers (account_id, environment, generation, brand);

CREATE INDEX pin_guesses_by_age on pin_guesses (guessed_at);

CREATE INDEX pin_guesses_of_source on pin_guesses (account_id, source, guessed_at)
  where device_hash is null;

CREATE INDEX pin_guesses_of_staff on pin_guesses (account_id, staff_id, device_hash, guessed_at);

CREATE INDEX pin_guesses_of_strangers on pin_guesses (account_id, guessed_at)
  where device_hash is null;

CREATE INDEX print_records_by_time on print_records (account_id, recorded_at);

CREATE INDEX print_records_not_begun
    on print_records (account_id, environment, kind, subject) where state = 'NOT_BEGUN';

CREATE INDEX provider_deviations_needed
    on provider_deviations (account_id, environment, last_at) where needed = 1;

CREATE INDEX purchases_by_confirmation on purchases (account_id, environment,
    json_extract(fulfilment_json, '$.confirmation.confirmationNumber'))
  where json_valid(fulfilment_json);

CREATE INDEX purchases_by_recipient on purchases (account_id, environment, recipient)
  where recipient <> '';

CREATE INDEX purchases_by_reference on purchases (account_id, environment,
    json_extract(fulfilment_json, '$.confirmation.externalReferenceId'))
  where json_valid(fulfilment_json);

CREATE INDEX purchases_details on purchases (details_state, account_id, details_at)
  where details_state is not null;

CREATE INDEX purchases_deviating_answers on purchases (account_id, answer_at)
    where answer_sealed is not null;

CREATE INDEX receipt_links_by_end on receipt_links (expires_at);

CREATE INDEX receipt_links_by_sale
  on receipt_links (account_id, environment, sale_id, created_at);

CREATE INDEX receipt_sendings_addressed on receipt_sendings (account_id, created_at)
  where recipient <> '';

CREATE INDEX receipt_sendings_by_sale
  on receipt_sendings (account_id, environment, sale_id, created_at);

CREATE INDEX receipt_sendings_by_state
  on receipt_sendings (account_id, state, created_at, environment, sending_id);

CREATE INDEX receipt_sendings_newest
  on receipt_sendings (account_id, created_at, environment, sending_id);

CREATE INDEX recharge_payments_by_time
  on recharge_payments (account_id, environment, currency, recharged_at);

CREATE INDEX refunds_by_purchase
  on refunds (account_id, environment, refunded_transaction_id);

CREATE UNIQUE INDEX refunds_once
  on refunds (account_id, environment, refunded_transaction_id) where failed = 0;

CREATE INDEX reports_by_end on reports (status, updated_at);

CREATE INDEX sale_lines_by_recipient
  on sale_lines (account_id, environment, recipient, created_at desc);

CREATE INDEX sale_lines_newest on sale_lines (account_id, environment, created_at desc);

CREATE INDEX sale_lines_of_family
  on sale_lines (account_id, environment, product_type, created_at desc);

CREATE UNIQUE INDEX sale_tenders_one_cash on sale_tenders (account_id, environment, sale_id)
  where kind = 'CASH';

CREATE INDEX sales_by_shift on sales (account_id, environment, shift_id);

CREATE INDEX sales_newest on sales (account_id, environment, created_at desc, sale_id);

CREATE INDEX sales_of_staff on sales (account_id, environment, staff_id, created_at);

CREATE INDEX shared_memory_by_end on shared_memory (expires_at);

CREATE INDEX shift_movements_by_shift
  on shift_movements (account_id, environment, shift_id, recorded_at);

CREATE INDEX shift_movements_by_time
  on shift_movements (account_id, environment, recorded_at);

CREATE INDEX shifts_by_opening
    on shifts (account_id, opened_at, environment);

CREATE INDEX shifts_of_staff on shifts (account_id, environment, staff_id, opened_at desc);

CREATE UNIQUE INDEX shifts_one_open on shifts (account_id, environment, staff_id)
  where closed_at is null;

CREATE INDEX shop_reports_by_schedule on shop_reports (account_id, environment, schedule_id, created_at)
  where schedule_id is not null;

CREATE INDEX shop_reports_by_time on shop_reports (account_id, environment, created_at);

CREATE INDEX shop_reports_ready on shop_reports (finished_at) where state = 'READY';

CREATE INDEX staff_devices_by_device on staff_devices (account_id, device_hash);

CREATE INDEX staff_sessions_by_staff on staff_sessions (account_id, staff_id);

CREATE UNIQUE INDEX storage_findings_open on storage_findings (kind) where settled_at is null;

CREATE INDEX transactions_by_finish
  on transactions (account_id, environment, finished_at, transaction_id)
  where finished_at is not null;

CREATE INDEX transactions_by_product
  on transactions (account_id, environment, product_type, created_at desc, transaction_id)
  where training = 0;

CREATE INDEX transactions_by_status
  on transactions (account_id, environment, status, created_at desc, transaction_id)
  where training = 0;

CREATE INDEX transactions_by_type
  on transactions (account_id, environment, type, created_at desc, transaction_id)
  where training = 0;

CREATE INDEX transactions_newest
  on transactions (account_id, environment, created_at desc, transaction_id)
  where training = 0;

CREATE INDEX transactions_recharges
  on transactions (account_id, environment, created_at desc, transaction_id)
  where training = 0 and product_type in ('RECHARGE_SANDBOX', 'RECHARGE_WITH_CREDIT_CARD');

CREATE INDEX transactions_to_reconcile
  on transactions (account_id, environment, created_at, transaction_id)
  where needs_reconciliation = 1;

CREATE INDEX transactions_unfinished
  on transactions (account_id, environment, created_at, transaction_id)
  where finished_at is null;

CREATE INDEX webhook_attempts_open
    on webhook_attempts (account_id, environment, delivery_id)
    where status is null and error is null;

CREATE INDEX webhook_deliveries_by_transaction
  on webhook_deliveries (account_id, environment, transaction_id);

CREATE INDEX webhook_deliveries_claimed
    on webhook_deliveries (account_id, environment, endpoint_id)
    where sent_until is not null;

CREATE INDEX webhook_deliveries_clear on webhook_deliveries (sequence)
  where substr(body, 1, 1) = '{';

CREATE INDEX webhook_deliveries_due
  on webhook_deliveries (account_id, environment, endpoint_id, next_attempt_at)
  where next_attempt_at is not null;

CREATE INDEX webhook_deliveries_undelivered on webhook_deliveries (account_id, state, sequence)
  where state <> 'DELIVERED';

CREATE UNIQUE INDEX webhook_endpoints_once
  on webhook_endpoints (account_id, environment, kind, url) where removed_at is null;

CREATE UNIQUE INDEX webhook_endpoints_one_verifier
  on webhook_endpoints (account_id, environment)
  where kind = 'TRANSACTION' and removed_at is null;

CREATE INDEX z_reports_by_close
  on z_reports (account_id, environment, closed_at desc, z_number);

CREATE INDEX z_reports_of_staff on z_reports (account_id, environment, staff_id, z_number desc);
