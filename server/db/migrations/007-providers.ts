import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { bytes, keyedTableEnd, renewChecksumsOf, tableEnd, whole } from "../migration-words.ts";

const SCOPE = ["account_id", "environment"];

/** Columns of the checksums before and after this migration. */
const UPSTREAMS_BEFORE = [
  SCOPE,
  ["base_url", "key_sealed", "allow_private", "connected_at", "hook_token_hash"],
  ["hook_secret_sealed"],
].flat();
const OFFERS_BEFORE = [
  SCOPE,
  ["offer_id", "product_type", "brand", "country", "offer_json"],
].flat();
const PURCHASES_BEFORE = [
  SCOPE,
  ["transaction_id", "offer_id", "brand", "brand_name", "country", "recipient"],
  ["cost_base", "cost_fee", "price_base", "price_fee", "price_currency"],
  ["price_currency_divisor", "send", "send_currency", "send_currency_divisor"],
  ["value_type", "value", "offer_version", "input_json", "fulfilment_json"],
  ["key_id", "channel", "shop_cost", "shop_rate", "shop_tax", "tax_rate"],
].flat();

/**
 * Gives each connection an id and a name, so that an environment can have several. The earlier
 * connection is the first. Offers, promotions and purchases without a provider belong to the first.
 */
export const migration007: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await giveConnectionsAnId(db);
    await giveWaitingCatalogsAProvider(db);
    await giveBrandStatesAProvider(db);
    await sql`alter table promos add column provider_id text`.execute(db);
    for (const table of ["offers", "purchases"]) {
      await sql`alter table ${sql.table(table)} add column provider_id text`.execute(db);
      await sql`alter table ${sql.table(table)} add column product_id text`.execute(db);
    }
    const added = ["provider_id", "product_id"];
    await renewChecksumsOf(db, "upstreams", [...UPSTREAMS_BEFORE, "provider_id"], UPSTREAMS_BEFORE);
    await renewChecksumsOf(db, "offers", [...OFFERS_BEFORE, ...added], OFFERS_BEFORE);
    await renewChecksumsOf(db, "purchases", [...PURCHASES_BEFORE, ...added], PURCHASES_BEFORE);
  },
};

const CONNECTION = sql.raw(
  [
    ["account_id", "environment", "base_url", "key_sealed", "allow_private", "connected_at"],
    ["hook_token_hash", "hook_secret_sealed", "balance", "balance_at", "synced_at"],
    ["sync_report_json", "sync_failed_at", "sync_failure", "fault_kind", "fault_message"],
    ["fault_at", "checksum", "approves_catalog", "clock_difference_ms", "hook_base_url", "kind"],
  ]
    .flat()
    .join(", "),
);

/** A primary key cannot be changed on SQLite. The names of constraints stay on PostgreSQL. */
async function giveConnectionsAnId(db: Kysely<unknown>): Promise<void> {
  await sql`create table kept_upstreams as select ${CONNECTION} from upstreams`.execute(db);
  await sql`drop table upstreams`.execute(db);
  await sql`create table upstreams (
    account_id text not null references accounts,
    environment text not null check (environment = 'live'),
    provider_id text not null default 'first',
    name text not null default '',
    paused_at ${whole},
    kind text not null default 'gateway',
    base_url text not null,
    key_sealed text,
    allow_private ${whole} not null check (allow_private in (0, 1)),
    connected_at ${whole} not null,
    hook_token_hash text unique,
    hook_secret_sealed text,
    balance ${whole},
    balance_at ${whole},
    synced_at ${whole},
    sync_report_json text,
    sync_failed_at ${whole},
    sync_failure text,
    fault_kind text,
    fault_message text,
    fault_at ${whole},
    checksum ${whole},
    approves_catalog ${whole} not null default 0 check (approves_catalog in (0, 1)),
    clock_difference_ms ${whole},
    hook_base_url text,
    primary key (account_id, environment, provider_id),
    check ((hook_token_hash is null) = (hook_secret_sealed is null)),
    check ((balance is null) = (balance_at is null)),
    check ((sync_failed_at is null) = (sync_failure is null)),
    check ((fault_kind is null) = (fault_at is null))
  ) ${tableEnd}`.execute(db);
  await sql`insert into upstreams (${CONNECTION}) select ${CONNECTION} from kept_upstreams`.execute(
    db,
  );
  await sql`drop table kept_upstreams`.execute(db);
}

async function giveWaitingCatalogsAProvider(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw(
    "account_id, environment, key_sealed, fetched_at, difference_json, content",
  );
  await sql`create table kept_catalogs as select ${columns} from waiting_catalogs`.execute(db);
  await sql`drop table waiting_catalogs`.execute(db);
  await sql`create table waiting_catalogs (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    provider_id text not null default 'first',
    key_sealed text not null,
    fetched_at ${whole} not null,
    difference_json text not null,
    content ${bytes} not null,
    primary key (account_id, environment, provider_id)
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into waiting_catalogs (${columns}) select ${columns} from kept_catalogs`.execute(
    db,
  );
  await sql`drop table kept_catalogs`.execute(db);
}

/** Each provider of a brand is paused on its own. */
async function giveBrandStatesAProvider(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw(
    "account_id, environment, brand, failures, paused_since, pause_reason, next_probe_at",
  );
  await sql`create table kept_states as select ${columns} from brand_states`.execute(db);
  await sql`drop table brand_states`.execute(db);
  await sql`create table brand_states (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    brand text not null,
    provider_id text not null default 'first',
    failures ${whole} not null default 0 check (failures >= 0),
    paused_since ${whole},
    pause_reason text check (pause_reason in ('auto', 'manual')),
    next_probe_at ${whole},
    primary key (account_id, environment, brand, provider_id),
    check ((paused_since is null) = (pause_reason is null)),
    check ((next_probe_at is not null) = (pause_reason is not distinct from 'auto'))
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into brand_states (${columns}) select ${columns} from kept_states`.execute(db);
  await sql`drop table kept_states`.execute(db);
}
