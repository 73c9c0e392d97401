import { crc32 } from "node:zlib";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { engineOf } from "./compiled-query.ts";
import { getConnections } from "./connections.ts";
import { whereChecked } from "./engine-words.ts";
import type { Db, Tx } from "./handles.ts";

/**
 * Columns that each row's checksum covers: all columns on which money and fulfilment depend, unless
 * other rows of the books repeat their values. A comparison finds rows that a disk error changed
 * (rules#fault-checksums).
 */
export const CHECKED = {
  offers: [
    ["offer_id", "product_type", "brand", "country", "offer_json", "provider_id", "product_id"],
  ].flat(),
  brands: ["brand", "brand_name", "detail_json"],
  promos: ["promo_id", "promo_json"],
  transactions: [
    ["transaction_id", "type", "product_type", "amount", "currency", "currency_divisor"],
    ["created_at", "training"],
  ].flat(),
  offer_versions: ["digest", "offer_json"],
  purchases: [
    ["transaction_id", "offer_id", "brand", "brand_name", "country", "recipient"],
    ["cost_base", "cost_fee", "price_base", "price_fee", "price_currency"],
    ["price_currency_divisor", "send", "send_currency", "send_currency_divisor"],
    ["value_type", "value", "offer_version", "input_json", "fulfilment_json"],
    ["key_id", "channel", "shop_cost", "shop_rate", "shop_tax", "tax_rate"],
    ["provider_id", "product_id"],
  ].flat(),
  sales: [
    ["sale_id", "sale_number", "staff_id", "approved_by", "currency", "currency_divisor"],
    ["total", "discount", "request_hash", "created_at", "shift_id", "training"],
  ].flat(),
  sale_lines: [
    ["sale_id", "position", "transaction_id", "product_type", "recipient", "price", "discount"],
    ["created_at", "cost", "rate", "tax"],
  ].flat(),
  accounts: [
    ["wallet_currency", "wallet_currency_divisor", "created_at", "lookup_enabled"],
    ["idle_lock_minutes", "keep_details_days", "time_zone", "receipt_text_json"],
    ["printer_ports_json", "cash_step", "day_starts_at", "tenders_json", "confirm_number"],
  ].flat(),
  shops: [
    ["name", "currency", "currency_divisor", "rate", "rate_set_at", "language"],
    ["till_environment", "created_at"],
  ].flat(),
  staff: [
    ["staff_id", "name", "role", "pin_hash", "active", "rights_json", "limits_json"],
    ["created_at"],
  ].flat(),
  devices: ["device_id", "name", "key_hash", "enrolled_at", "revoked_at"],
  printers: ["printer_id", "name", "host", "port", "paper", "drawer", "created_at"],
  environment_settings: ["queue_enabled"],
  api_keys: [
    ["key_id", "name", "hash", "hint", "allowed_addresses_json", "created_at", "revoked_at"],
    ["scopes", "expires_at"],
  ].flat(),
  approvals: [
    [
      "approval_id",
      "requested_by",
      "approved_by",
      "subject",
      "request_digest",
      "needs",
      "facts_json",
    ],
    ["created_at", "expires_at", "used_at"],
  ].flat(),
  upstreams: [
    ["base_url", "key_sealed", "allow_private", "connected_at", "hook_token_hash"],
    ["hook_secret_sealed", "provider_id"],
  ].flat(),
  webhook_endpoints: [
    ["endpoint_id", "kinds", "url", "header_name", "header_value_sealed", "secret_sealed"],
    ["allow_private", "created_at", "paused_at", "removed_at"],
  ].flat(),
  esims: ["iccid", "transaction_id", "created_at"],
  refunds: ["transaction_id", "refunded_transaction_id", "failed"],
  held_sales: [
    ["held_sale_id", "label", "staff_id", "currency", "currency_divisor", "total", "lines_json"],
    ["request_hash", "held_at", "ended_at", "ended_by", "resume_id", "training"],
  ].flat(),
  bulk_runs: [
    ["run_id", "name", "staff_id", "state", "digest", "tender", "reference"],
    ["tender_id", "created_at", "confirmed_at", "ended_at"],
  ].flat(),
  bulk_lines: [
    ["run_id", "line", "state", "cells_json", "input_json", "recipient", "price", "price_now"],
    ["cost", "sale_id", "transaction_id", "sold_at"],
  ].flat(),
  price_lists: ["version", "list_json", "starts_at", "saved_at", "staff_id", "note"],
  price_losses: ["rule_id", "lost"],
  recharges: [
    ["transaction_id", "paid", "currency", "average", "recharged_at"],
    ["reversed_transaction_id", "reason", "staff_id"],
  ].flat(),
  retrieved_bills: ["offer_id", "bill_key", "amount_due", "retrieved_at"],
} satisfies Record<string, string[]>;

const OF_BOTH_ENVIRONMENTS: ReadonlySet<string> = new Set([
  "accounts",
  "shops",
  "staff",
  "printers",
  "devices",
]);

/** Reasons why the other tables have no checksum. Every table is in `CHECKED` or in this list. */
export const UNCHECKED: Record<string, string> = {
  api_requests: "there are none in a file, where they have a file of their own",
  ledger_accounts: "the audit adds up its entries",
  ledger_postings:
    "each carries the balances after it, and the audit compares it with its transaction",
  alerts: "they are found anew from the state of the shop",
  transaction_log: "the audit compares its end with the status",
  day_figures: "each row has a check of its sums, and the audit adds them up again",
  sale_tenders: "the audit compares what was taken with the total of the sale",
  customer_refunds: "the audit compares them with their lines and tenders",
  customer_refund_lines: "the audit compares them with what was sold",
  customer_refund_tenders: "the audit compares their sum with what was given back",
  shifts: "the audit compares them with their reports and sales",
  cash_movements: "no row is changed; reports repeat the sums, and the safe is counted",
  z_reports: "they are written once for all, a checksum too late; their numbers have no gap",
  purchase_losses: "a wrong one gives back to a budget at most what its rule has lost",
  print_records: "no money depends on how a print ended",
  prints: "no money depends on how often something was printed",
  webhook_deliveries: "the encryption of what is sent finds a change; the rest is when",
  provider_deviations: "they describe answers, and no outcome or money depends on them",
  webhook_attempts: "nothing follows from what was answered once",
  staff_sessions: "they are over within a day, and whom they are of is on the staff",
  device_codes: "they are over within ten minutes, and a changed one lets nobody in",
  staff_devices: "they count wrong PINs and open nothing",
  tills: "they name devices, and no money depends on a name",
  pin_guesses: "they count wrong PINs and open nothing",
  live_check_results: "the next night finds them anew",
  brand_states: "what comes back from the provider renews them",
  catalogs: "they say which version the offers are, and nothing of an offer",
  catalog_generations: "they say which rows nobody reads; a start deletes those",
  catalog_updates: "nothing follows from what an import once did",
  offer_switches: "they hide and show offers, and say nothing of what one costs",
  favourites: "a number is shown before anything is sold to it",
  remembered_carriers: "a carrier is shown before anything is sold",
  reports: "they are written from the books",
  receipt_links: "a changed hash opens no page, and no money depends on who looks at one",
  receipt_sendings: "they say to whom a receipt went, and no money depends on it",
  shop_reports: "they say where a file is that is written from the books",
  mails: "they repeat what is in a report, and to whom it went",
  audit_trail: "nothing follows from it, and nothing in it is ever changed",
  waiting_catalogs:
    "a compressed text finds a change of itself, and it is checked when it is taken",
  catalog_files: "what they say of a file is shown, and the file itself is checked",
  catalog_file_parts:
    "all of a file is checked before it is taken; compressed texts detect changes",
  settings:
    "no money follows from them; a changed value is shown, and encryption detects a changed secret",
  logos: "a digest names the picture, and nothing follows from it",
  jobs: "the audit looks for one of whatever is unfinished; doing it again does no harm",
  changes: "they say where to look, and are gone after a week",
  commit_count: "it is compared with the witness beside the database",
  storage_findings: "each start finds them again",
  shared_memory: "it is over in minutes, and a file has only bytes there that nobody reads",
  report_parts: "there are none in a file, where reports are files of their own",
  key_files: "a process with another key file is refused, and a wrong row refuses all of them",
  exports_begun: "there is none in a file, and any other number stops a process from selling",
  commit_marks: "there are none in a file, and a wrong one leads to questions at the provider",
  database_identity: "there is none in a file, and a wrong one leads to questions at the provider",
  recovery_kits: "the encryption of the sealed key detects a change",
  audit_counts: "the audit compares it with the number of entries",
  program_versions: "what is done by them is checked against the backup and the commits",
  simulator_orders: "they are the sandbox's, which sells nothing real",
  simulator_plans: "they are the sandbox's, which sells nothing real",
};

export type CheckedTable = keyof typeof CHECKED;
export const CHECKED_TABLES = Object.keys(CHECKED) as CheckedTable[];

/** Tables whose rows are always written as a whole, so that damaged earlier content is harmless. */
const WRITTEN_WHOLE: ReadonlySet<string> = new Set(["offers", "brands", "promos"]);

/** Tables into which a sale inserts rows with their checksums (`checksumOfNew`). */
const INSERTED_WITH: ReadonlySet<string> = new Set(["transactions", "purchases"]);

/** Returns an SQL condition that is true if the row is unchanged since it was written. */
export function isIntact(table: CheckedTable): RawBuilder<boolean> {
  return whereChecked(`${table}.checksum is not distinct from ${expressionFor(table, table)}`);
}

export function intactFlag(table: CheckedTable): RawBuilder<number> {
  return sql<number>`case when ${isIntact(table)} then 1 else 0 end`;
}

/** Thrown for a row that a disk error changed. */
export class DamagedRow extends Error {
  readonly code = "TILLGATE_ROW_DAMAGED";
  constructor(table: CheckedTable, id: string) {
    super(`the row ${id} of ${table} is not as it was written`);
  }
}

/**
 * Adds temporary triggers that renew the checksum at every write of this connection, unless the
 * program inserts a row with its checksum; they call a function that other programs do not have. If a row was damaged before an update of some columns,
 * its checksum stays wrong.
 */
export function keepChecksums(db: Db): void {
  const triggers = CHECKED_TABLES.map((table) => {
    const renew = `update ${table} set checksum = ${expressionFor(table, "new")}
      where rowid = new.rowid`;
    const condition = WRITTEN_WHOLE.has(table)
      ? ""
      : `when old.checksum is not distinct from ${expressionFor(table, "old")}`;
    const columns = CHECKED[table].join(", ");
    return `create temp trigger ${table}_checksum_insert after insert on main.${table}
      ${INSERTED_WITH.has(table) ? "when new.checksum is null" : ""} begin ${renew}; end;
      create temp trigger ${table}_checksum_update
        after update of ${columns} on main.${table} ${condition} begin ${renew}; end;`;
  });
  // One statement for all triggers: separate statements would delay the start.
  for (const connection of getConnections(db).sqlite) connection.exec(triggers.join("\n"));
}

/** Writes the checksum of every row, after rows were written without checksums. */
export async function renewChecksums(tx: Tx): Promise<void> {
  for (const table of CHECKED_TABLES) {
    const renew = `update ${table} set checksum = ${expressionFor(table, table)}`;
    await tx.executeQuery(CompiledQuery.raw(renew));
  }
}

/**
 * Returns the checksum of a new row, which costs less than its trigger. Null if the trigger must
 * calculate it: a text that is not well-formed changes when it is stored.
 */
export function checksumOfNew(
  tx: Tx,
  table: CheckedTable,
  row: Record<string, string | number | null>,
): number | null {
  if (engineOf(tx) !== "sqlite") return null;
  const values = columnsOf(table).map((column) => row[column] ?? null);
  const isWellFormed = values.every((value) => typeof value !== "string" || value.isWellFormed());
  return isWellFormed ? checksumOf(...values) : null;
}

type Value = string | number | bigint | null;

/**
 * Implements `row_checksum(…)` in SQL: a checksum of the values in order, each
 * with its type and length.
 */
export function checksumOf(...values: Value[]): number {
  let text = "";
  for (const value of values) {
    if (text !== "") text += ",";
    text += typeof value === "string" ? `${value.length}"${value}` : `${value}`;
  }
  return crc32(text);
}

const columns = new Map<CheckedTable, readonly string[]>();

function columnsOf(table: CheckedTable): readonly string[] {
  const known = columns.get(table);
  if (known) return known;
  const scope = OF_BOTH_ENVIRONMENTS.has(table) ? ["account_id"] : ["account_id", "environment"];
  const all = [...scope, ...CHECKED[table]];
  columns.set(table, all);
  return all;
}

function expressionFor(table: CheckedTable, row: string): string {
  return `row_checksum(${columnsOf(table)
    .map((column) => `${row}.${column}`)
    .join(", ")})`;
}
