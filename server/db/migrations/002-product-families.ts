import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const ENVIRONMENT = "text not null check (environment in ('test', 'live'))";

/** Refunds are booked as postings of their own kind; a check can only be changed by a new table. */
const POSTINGS = [
  `create table ledger_postings_new (
    posting_id integer primary key autoincrement,
    account_id text not null,
    environment ${ENVIRONMENT},
    transaction_id text not null,
    kind text not null check (kind in ('RECHARGE', 'HOLD', 'CAPTURE', 'RELEASE', 'REFUND')),
    posted_at integer not null,
    unique (account_id, environment, transaction_id, kind),
    foreign key (account_id, environment, transaction_id) references transactions
  ) strict`,
  "insert into ledger_postings_new select * from ledger_postings",
  "drop table ledger_postings",
  "alter table ledger_postings_new rename to ledger_postings",
  `create unique index ledger_postings_settle_once
    on ledger_postings (account_id, environment, transaction_id)
    where kind in ('CAPTURE', 'RELEASE')`,
  ...["update", "delete"].map(
    (event) => `create trigger ledger_postings_no_${event} before ${event} on ledger_postings
    begin select raise(abort, 'ledger_postings is append-only'); end`,
  ),
];

/** The topics that are followed are named in one place, `tables.ts`. */
const CHANGES = [
  "alter table changes rename to changes_old",
  `create table changes (
    change_id integer primary key autoincrement,
    account_id text not null,
    environment ${ENVIRONMENT},
    topic text not null,
    subject text not null,
    changed_at integer not null
  ) strict`,
  "insert into changes select * from changes_old",
  "drop table changes_old",
  "create index changes_by_age on changes (changed_at)",
];

const ADDITIONS = [
  `create index transactions_by_type
    on transactions (account_id, environment, type, created_at desc, transaction_id)`,
  `create index transactions_by_finish
    on transactions (account_id, environment, finished_at, transaction_id)
    where finished_at is not null`,

  `alter table accounts add column lookup_enabled integer not null default 1
    check (lookup_enabled in (0, 1))`,

  `create table esims (
    account_id text not null,
    environment ${ENVIRONMENT},
    iccid text not null,
    transaction_id text not null,
    created_at integer not null,
    primary key (account_id, environment, iccid),
    foreign key (account_id, environment, transaction_id) references purchases
  ) strict`,

  `create table refunds (
    account_id text not null,
    environment ${ENVIRONMENT},
    transaction_id text not null,
    refunded_transaction_id text not null,
    failed integer not null default 0 check (failed in (0, 1)),
    primary key (account_id, environment, transaction_id),
    foreign key (account_id, environment, transaction_id) references transactions,
    foreign key (account_id, environment, refunded_transaction_id) references purchases
  ) strict`,
  `create unique index refunds_once
    on refunds (account_id, environment, refunded_transaction_id) where failed = 0`,
  `create index refunds_by_purchase
    on refunds (account_id, environment, refunded_transaction_id)`,

  `create table retrieved_bills (
    account_id text not null references accounts,
    environment ${ENVIRONMENT},
    offer_id text not null,
    bill_key text not null,
    amount_due integer not null check (amount_due >= 0),
    retrieved_at integer not null,
    primary key (account_id, environment, offer_id, bill_key)
  ) strict`,

  `create table reports (
    account_id text not null references accounts,
    environment ${ENVIRONMENT},
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
  ) strict`,
  `create table report_log (
    account_id text not null,
    environment ${ENVIRONMENT},
    report_id text not null,
    position integer not null,
    recorded_at integer not null,
    status text not null,
    message text not null,
    primary key (account_id, environment, report_id, position),
    foreign key (account_id, environment, report_id) references reports
  ) strict, without rowid`,

  `create table simulator_plans (
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
  ) strict`,
];

export const migration002: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...POSTINGS, ...CHANGES, ...ADDITIONS]) {
      await sql.raw(statement).execute(db);
    }
  },
};
