import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { TransactionStatus } from "../contract/common.ts";
import { readMessage } from "../db/log-messages.ts";
import { SETTINGS_BEFORE } from "../db/migrations/003-settings.ts";

/**
 * Writes the export of a shop with a sale of each kind, made by the last version before the
 * baseline migration.
 */
export function writeEarlierExport(file: string): void {
  const packed = readFileSync(new URL("earlier-shop.ndjson.gz", import.meta.url));
  writeFileSync(file, gunzipSync(packed));
}

/** Tables that the baseline deleted. */
const GONE_TABLES = ["transaction_counts", "webhook_delivery_counts"];

/**
 * Columns that the baseline and later migrations removed or added in each table. An added column
 * has its value for existing rows.
 */
const CHANGED_COLUMNS: Readonly<Record<string, ColumnChanges>> = {
  environment_settings: { gone: "numbers_rewritten_until", added: { figures_until: 0 } },
  customer_refunds: { added: { replaced_by: null } },
  purchase_losses: { added: { is_released: 0 } },
  recovery_kits: { added: { is_draft: 0 } },
  upstreams: {
    added: { kind: "gateway", provider_id: "first", name: "", paused_at: null, replaced_at: null },
  },
  waiting_catalogs: { added: { provider_id: "first" } },
  brand_states: { added: { provider_id: "first" } },
  offers: { added: { provider_id: null, product_id: null } },
  promos: { added: { provider_id: null } },
  api_keys: { added: { scopes: "read sell reports", expires_at: null } },
};

interface ColumnChanges {
  gone?: string;
  added?: Record<string, unknown>;
}

function toBaselineTables(tables: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const converted = new Map<string, string[]>();
  for (const [name, [head = "", ...rows]] of tables) {
    if (GONE_TABLES.includes(name)) continue;
    const { columns } = JSON.parse(head) as { columns: string[] };
    const { gone, added: values = {} } = CHANGED_COLUMNS[name] ?? {};
    const added = Object.entries(values).filter(([column]) => !columns.includes(column));
    const next = columns.filter((column) => column !== gone);
    next.push(...added.map(([column]) => column));
    next.sort();
    const valuesOf = (row: string): unknown[] => {
      const named = new Map(columns.map((column, at) => [column, JSON.parse(row)[at] as unknown]));
      for (const [column, value] of added) named.set(column, value);
      return next.map((column) => named.get(column));
    };
    const isSame = !columns.includes(gone ?? "") && added.length === 0;
    const lines = isSame ? rows : rows.map((row) => JSON.stringify(valuesOf(row)));
    const begin = JSON.stringify({ table: name, columns: next });
    converted.set(name, [isSame ? head : begin, ...lines]);
  }
  return converted;
}

/** Tables and columns whose content the baseline stores in a different form. */
const FOLDED = {
  tables: [
    ["offer_versions", "ledger_entries", "owed_lines"],
    ["figure_quarters", "figure_days", "figure_tenders", "day_figures"],
    ["receipt_prints", "z_report_prints", "shift_movements", "cash_deposits"],
    ["recharge_payments", "recharge_references", "recharge_reversals"],
    ["prints", "cash_movements", "recharges"],
    [...Object.keys(SETTINGS_BEFORE), "settings", "report_log", "reports", "number_checks"],
    ["shop_logos", "brand_logos", "logos", "catalog_files", "catalog_file_parts"],
    ["catalog_imports", "catalog_uploads", "catalog_upload_parts"],
    ["webhook_endpoints", "webhook_deliveries"],
  ].flat(),
  columns: [
    ["offer_json", "offer_version"],
    ["channel", "shop_cost", "shop_rate", "shop_tax", "tax_rate"],
    ["refused_by", "may_have_moved"],
    ["provider_id", "product_id"],
  ].flat(),
};

/**
 * Returns the content of an export by table, with the sold offer in each purchase. Omits columns
 * that the baseline stores in a different form.
 */
export function readContent(file: string): Map<string, unknown> {
  const tables = toBaselineTables(readTables(file));
  const rowsOf = (table: string) => {
    const [head = "{}", ...lines] = tables.get(table) ?? [];
    const { columns } = JSON.parse(head) as { columns: string[] };
    return lines.map((line) => {
      const values = JSON.parse(line) as unknown[];
      return Object.fromEntries(columns.map((name, index) => [name, values[index]]));
    });
  };
  const entries = tables.has("ledger_entries") ? rowsOf("ledger_entries") : [];
  const entriesOf = (posting: unknown) =>
    entries
      .filter(({ posting_id }) => posting_id === posting)
      .map(({ name, amount, balance_after }) => [name, amount, balance_after].join(" "))
      .toSorted();
  const versions = tables.has("offer_versions") ? rowsOf("offer_versions") : [];
  const purchases = rowsOf("purchases").map((row) => {
    const isSold = (version: Record<string, unknown>) =>
      version.digest === row.offer_version &&
      version.environment === row.environment &&
      version.account_id === row.account_id;
    const sold = row.offer_json ?? versions.find(isSold)?.offer_json;
    const same = Object.entries(row).filter(([name]) => !FOLDED.columns.includes(name));
    return { ...Object.fromEntries(same), sold };
  });
  const postings = rowsOf("ledger_postings").map((row) => {
    // An earlier version has one leg for each purchase.
    const { amount, from_balance, to_balance, leg: _, ...same } = row;
    return amount === undefined
      ? { ...same, entries: entriesOf(same.posting_id) }
      : { ...same, entries: toEntries(same.kind, [amount, from_balance, to_balance].map(Number)) };
  });
  const rowsIn = (table: string) => (tables.has(table) ? rowsOf(table) : []);
  const owedLines = rowsIn("owed_lines");
  const lines = rowsOf("sale_lines").map((row) => {
    const since = owedLines.find(({ transaction_id }) => transaction_id === row.transaction_id);
    const { owed, returned_at: _, checked_by: __, ...same } = row;
    return { ...same, isOwed: since !== undefined || owed === 1 };
  });
  const log = rowsOf("transaction_log").map((row) => ({
    ...row,
    message: readMessage(row.status as TransactionStatus, row.message as string | null),
  }));
  const content = new Map<string, unknown>(tables).set("transaction_log", log);
  for (const table of FOLDED.tables) content.delete(table);
  return content
    .set("purchases", purchases)
    .set("ledger_postings", postings)
    .set("sale_lines", lines)
    .set("merged", readMerged(rowsIn));
}

type Row = Record<string, unknown>;

function readMerged(rowsIn: (table: string) => Row[]): Row[] {
  const recharges = Map.groupBy(
    ["recharge_payments", "recharge_references", "recharge_reversals", "recharges"].flatMap(rowsIn),
    (row) => [row.environment, row.transaction_id].join(" "),
  );
  const rows = [
    ...rowsIn("prints"),
    ...rowsIn("receipt_prints").map(({ sale_id, ...row }) => ({
      ...row,
      kind: "SALE",
      subject: sale_id,
    })),
    ...rowsIn("z_report_prints").map(({ z_number, ...row }) => ({
      ...row,
      kind: "Z_REPORT",
      subject: String(z_number),
    })),
    ...rowsIn("cash_movements"),
    ...rowsIn("shift_movements"),
    ...rowsIn("cash_deposits").map(({ deposit_id, reference, ...row }) => ({
      ...row,
      movement_id: deposit_id,
      reason: reference,
    })),
    ...rowsIn("webhook_endpoints").map(({ kind, kinds = kind, ...row }) => ({ ...row, kinds })),
    ...rowsIn("webhook_deliveries").map((row) => {
      const { transaction_id, subject = transaction_id, kind: _, ...same } = row;
      return { ...same, subject };
    }),
    ...[...recharges.values()].map((parts): Row => Object.assign({}, ...parts)),
  ];
  const toFilled = (row: Row) => Object.entries(row).filter(([, value]) => value !== null);
  return rows
    .map((row) => Object.fromEntries(toFilled(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

const ACCOUNTS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  RECHARGE: ["world.funding", "wallet.available"],
  HOLD: ["wallet.available", "wallet.held"],
  CAPTURE: ["wallet.held", "provider.spent"],
  RELEASE: ["wallet.held", "wallet.available"],
  REFUND: ["provider.spent", "wallet.available"],
};

function toEntries(kind: unknown, [amount = 0, from = 0, to = 0]: number[]): string[] {
  const [taken, given] = ACCOUNTS[String(kind)] ?? [];
  return [`${taken} ${-amount} ${from}`, `${given} ${amount} ${to}`].toSorted();
}

function readTables(file: string): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(file, "utf8").split("\n").slice(1)) {
    const [, name] = /^\{"table":"(\w+)"/.exec(line) ?? [];
    if (name !== undefined) {
      lines = [line.replace(/,"last":\d+/, "")];
      tables.set(name, lines);
    } else if (line.startsWith("[")) lines.push(line);
  }
  return tables;
}

/** Returns the text of an export with the sums of its changed lines. */
export function sumAgain(lines: readonly string[]): string {
  const hash = createHash("sha256");
  let rows = createHash("sha256");
  return lines
    .map((line) => {
      if (line === "") return "";
      let said = `${line}\n`;
      if (line.startsWith("[")) rows.update(said);
      if (line.startsWith('{"table":')) rows = createHash("sha256");
      const end = line.startsWith("{") ? JSON.parse(line) : {};
      if (end.end !== undefined) {
        said = `${JSON.stringify({ ...end, sha256: rows.digest("hex") })}\n`;
      }
      if (end.tables !== undefined) {
        said = `${JSON.stringify({ ...end, sha256: hash.copy().digest("hex") })}\n`;
      }
      hash.update(said);
      return said;
    })
    .join("");
}
