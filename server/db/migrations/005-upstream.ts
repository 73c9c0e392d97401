import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  `create table upstreams (
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
    fault_at integer,
    primary key (account_id, environment),
    check ((hook_token_hash is null) = (hook_secret_sealed is null)),
    check ((balance is null) = (balance_at is null)),
    check ((sync_failed_at is null) = (sync_failure is null)),
    check ((fault_kind is null) = (fault_at is null))
  ) strict`,

  `create table brand_states (
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
  ) strict`,
];

export const migration005: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
