import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null,
    environment text not null check (environment in ('test', 'live')),`;

/** Shifts and the cash in the drawer: who took over what, what moved, and what it came to. */
const STATEMENTS = [
  `create table shifts (
    ${SCOPE}
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
  ) strict`,
  `create unique index shifts_one_open on shifts (account_id, environment, staff_id)
  where closed_at is null`,
  `create index shifts_of_staff on shifts (account_id, environment, staff_id, opened_at desc)`,
  `create trigger shifts_closed before update on shifts when old.closed_at is not null
    begin select raise(abort, 'a closed shift is final'); end`,

  `create table shift_movements (
    ${SCOPE}
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
  ) strict`,
  `create index shift_movements_by_shift
  on shift_movements (account_id, environment, shift_id, recorded_at)`,

  `create table z_reports (
    ${SCOPE}
    z_number integer not null check (z_number > 0),
    shift_id text not null,
    staff_id text not null,
    closed_at integer not null,
    request_hash text not null,
    report_json text not null,
    primary key (account_id, environment, z_number),
    unique (account_id, environment, shift_id),
    foreign key (account_id, environment, shift_id) references shifts
  ) strict`,
  `create index z_reports_of_staff on z_reports (account_id, environment, staff_id, z_number desc)`,

  `create table z_report_prints (
    ${SCOPE}
    z_number integer not null,
    copy_number integer not null,
    staff_id text not null,
    printed_at integer not null,
    primary key (account_id, environment, z_number, copy_number),
    foreign key (account_id, environment, z_number) references z_reports
  ) strict, without rowid`,

  ...["shift_movements", "z_reports", "z_report_prints"].flatMap((table) =>
    ["update", "delete"].map(
      (event) => `create trigger ${table}_no_${event} before ${event} on ${table}
    begin select raise(abort, '${table} is append-only'); end`,
    ),
  ),

  // Sales and give-backs of before there were shifts belong to none.
  `alter table sales add column shift_id text references shifts (shift_id)`,
  `create index sales_by_shift on sales (account_id, environment, shift_id)`,
  `alter table give_backs add column shift_id text references shifts (shift_id)`,
  `create index give_backs_by_shift on give_backs (account_id, environment, shift_id)`,
];

export const migration009: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
