import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  `create table receipt_page_settings (
    account_id text not null primary key references accounts,
    enabled integer not null check (enabled in (0, 1)),
    public_url text not null,
    keep_days integer not null check (keep_days > 0),
    details_in_mail integer not null check (details_in_mail in (0, 1))
  ) strict`,
  `create table receipt_links (
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
  ) strict`,
  `create index receipt_links_by_sale
    on receipt_links (account_id, environment, sale_id, created_at)`,
  `create table receipt_sendings (
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
    ended_at integer,
    primary key (account_id, environment, sending_id),
    foreign key (account_id, environment, sale_id) references sales
  ) strict`,
  `create index receipt_sendings_by_sale
    on receipt_sendings (account_id, environment, sale_id, created_at)`,
];

/** Receipts as pages: what an owner says of them, the links to them, and to whom they were sent. */
export const migration086: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
