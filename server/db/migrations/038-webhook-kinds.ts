import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const COLUMNS = `account_id, environment, endpoint_id, kind, url, header_name, header_value_sealed,
  secret_sealed, allow_private, created_at, failing_since, last_failed_at, last_failure, paused_at,
  removed_at, checksum`;

/**
 * What a webhook tells of is checked where it is registered, against the one list of families. A copy
 * of that list in the table would refuse the events of a new family.
 */
const STATEMENTS = [
  "drop index webhook_endpoints_once",
  "drop index webhook_endpoints_one_verifier",
  `create table webhook_endpoints_new (
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
    checksum integer,
    primary key (account_id, environment, endpoint_id),
    check ((secret_sealed is null) = (removed_at is not null)),
    check ((failing_since is null) = (last_failed_at is null))
  ) strict`,
  `insert into webhook_endpoints_new (${COLUMNS}) select ${COLUMNS} from webhook_endpoints`,
  "drop table webhook_endpoints",
  "alter table webhook_endpoints_new rename to webhook_endpoints",
  `create unique index webhook_endpoints_once
    on webhook_endpoints (account_id, environment, kind, url) where removed_at is null`,
  `create unique index webhook_endpoints_one_verifier
    on webhook_endpoints (account_id, environment)
    where kind = 'TRANSACTION' and removed_at is null`,
];

export const migration038: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
