import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Supervisors, rights and limits of each person, approvals, training and the idle lock. */
const STATEMENTS = [
  // A check cannot be changed: the column is made anew and takes the old one's name.
  `alter table staff add column post text not null default 'clerk'
    check (post in ('clerk', 'supervisor', 'owner'))`,
  "update staff set post = role",
  "alter table staff drop column role",
  "alter table staff rename column post to role",
  "alter table staff add column rights_json text not null default '{}'",
  "alter table staff add column limits_json text not null default '{}'",

  `alter table staff_sessions add column training integer not null default 0
    check (training in (0, 1))`,
  "alter table staff_sessions add column active_at integer not null default 0",
  "update staff_sessions set active_at = created_at",

  `alter table accounts add column idle_lock_minutes integer not null default 3
    check (idle_lock_minutes between 0 and 120)`,

  `create table approvals (
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    approval_id text not null,
    requested_by text not null,
    approved_by text not null,
    subject text not null,
    needs text not null,
    created_at integer not null,
    expires_at integer not null,
    used_at integer,
    primary key (account_id, environment, approval_id),
    foreign key (account_id, requested_by) references staff,
    foreign key (account_id, approved_by) references staff
  ) strict`,

  // What somebody sold in a day, for their day's limit.
  "create index sales_of_staff on sales (account_id, environment, staff_id, created_at)",
  // The trail of one person, and of one kind of deed, newest first.
  "create index audit_trail_of_staff on audit_trail (account_id, staff_id, entry_id)",
  "create index audit_trail_of_action on audit_trail (account_id, action, entry_id)",
];

export const migration010: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
