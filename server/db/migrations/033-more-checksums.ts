import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the checksum of a row is of. */
const COLUMNS = {
  accounts: `account_id, wallet_currency, wallet_currency_divisor, created_at, lookup_enabled,
    idle_lock_minutes, keep_slips_days, time_zone, receipt_text_json, printer_ports_json`,
  shops: `account_id, name, currency, currency_divisor, rate, rate_set_at, language, till_environment,
    created_at`,
  staff: `account_id, staff_id, name, role, pin_hash, active, rights_json, limits_json, created_at`,
  printers: "account_id, printer_id, name, host, port, paper, drawer, created_at",
  environment_settings: "account_id, environment, queue_enabled",
  api_keys: `account_id, environment, key_id, name, hash, hint, allowed_addresses_json, created_at,
    revoked_at`,
  approvals: `account_id, environment, approval_id, requested_by, approved_by, subject, deed, needs,
    facts_json, created_at, expires_at, used_at`,
  upstreams: `account_id, environment, base_url, key_sealed, allow_private, connected_at, hook_token_hash,
    hook_secret_sealed`,
  webhook_endpoints: `account_id, environment, endpoint_id, kind, url, header_name, header_value_sealed,
    secret_sealed, allow_private, created_at, paused_at, removed_at`,
  esims: "account_id, environment, iccid, transaction_id, created_at",
  refunds: "account_id, environment, transaction_id, refunded_transaction_id, failed",
  held_sales: `account_id, environment, held_sale_id, label, staff_id, currency, currency_divisor, total,
    lines_json, request_hash, held_at, ended_at, ended_by, resume_id, training`,
  retrieved_bills: "account_id, environment, offer_id, bill_key, amount_due, retrieved_at",
};

/**
 * Settings, people, keys and connections carry a checksum too, and so does what fulfilment depends on
 * beside the purchase itself. Those that are there are believed as they are.
 */
const STATEMENTS = Object.entries(COLUMNS).flatMap(([table, columns]) => [
  `alter table ${table} add column checksum integer`,
  `update ${table} set checksum = row_checksum(${columns})`,
]);

export const migration033: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
