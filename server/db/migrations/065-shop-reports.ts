import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const SCOPE = `account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live'))`;

/** Reports of the shop's figures, what is made and sent by itself, and the shop's mail. */
const STATEMENTS = [
  `create table shop_reports (
    ${SCOPE},
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
    finished_at integer,
    primary key (account_id, environment, report_id)
  ) strict`,
  `create index shop_reports_by_time on shop_reports (account_id, environment, created_at)`,
  `create index shop_reports_by_schedule on shop_reports (account_id, environment, schedule_id, created_at)
    where schedule_id is not null`,
  `create index shop_reports_ready on shop_reports (finished_at) where state = 'READY'`,
  `create table report_schedules (
    ${SCOPE},
    schedule_id text not null,
    schedule_json text not null,
    next_at integer,
    last_day text,
    fault text,
    primary key (account_id, environment, schedule_id)
  ) strict`,
  `create table accounting_settings (
    account_id text not null primary key references accounts,
    settings_json text not null
  ) strict`,
  `create table mail_servers (
    account_id text not null primary key references accounts,
    host text not null,
    port integer not null,
    security text not null check (security in ('TLS', 'STARTTLS', 'NONE')),
    user_name text not null,
    password_sealed text,
    from_address text not null
  ) strict`,
  `create table mails (
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
    sent_at integer,
    primary key (account_id, mail_id)
  ) strict`,
  `create index mails_by_time on mails (account_id, created_at)`,
];

export const migration065: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
