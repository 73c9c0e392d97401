import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live'))`;

/** Runs that sell many lines from a file: what is left to do is in their rows. */
const STATEMENTS = [
  `create table bulk_runs (
    ${SCOPE},
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
    checksum integer,
    primary key (account_id, environment, run_id),
    foreign key (account_id, staff_id) references staff,
    check ((pause is not null) = (state = 'PAUSED')),
    check ((confirmed_at is null) = (state in ('CHECKING', 'CHECKED'))),
    check ((confirmed_at is null) = (tender is null)),
    check ((ended_at is not null) = (state in ('STOPPED', 'DONE')))
  ) strict`,
  `create index bulk_runs_newest on bulk_runs (account_id, environment, created_at desc)`,
  `create index bulk_runs_confirmed on bulk_runs (account_id, environment, digest, confirmed_at)
    where confirmed_at is not null`,
  `create table bulk_lines (
    ${SCOPE},
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
  ) strict`,
  `create index bulk_lines_by_state on bulk_lines (account_id, environment, run_id, state, line)`,
  `create unique index bulk_lines_sold
    on bulk_lines (account_id, environment, sold_at desc, transaction_id)
    where sold_at is not null`,
  `create unique index bulk_lines_of_transaction
    on bulk_lines (account_id, environment, transaction_id) where sold_at is not null`,
  `create trigger bulk_lines_sold_once before update on bulk_lines
    when old.state = 'SOLD' and (new.state is not old.state
      or new.transaction_id is not old.transaction_id or new.price is not old.price) begin
    select raise(abort, 'a line that was sold stays sold');
  end`,
];

export const migration060: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
