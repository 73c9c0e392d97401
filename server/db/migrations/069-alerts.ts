import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What an owner should see to, from when it was found until it was well again, and whom it is told by
 * mail. An alert without an environment is of the whole shop.
 */
const STATEMENTS = [
  `create table alerts (
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
  ) strict`,
  `create unique index alerts_open
    on alerts (account_id, coalesce(environment, ''), kind, subject) where resolved_at is null`,
  `create index alerts_resolved on alerts (account_id, resolved_at) where resolved_at is not null`,
  `create table alert_mail (
    account_id text not null primary key references accounts,
    settings_json text not null,
    sent_at integer
  ) strict`,
];

export const migration069: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
