/**
 * Converts exports of the last version before the baseline. The file has more than 500 lines, because
 * its lists name every table and every column that changed.
 */
import { SUMS } from "../figure-columns.ts";
import { toStoredMessage } from "../log-messages.ts";
import { SETTINGS_BEFORE } from "../migrations/003-settings.ts";
import { isEarlier } from "../migrations/index.ts";
import { toOfferDigest } from "../offer-digest.ts";
import { CHANNEL_CODES } from "../sales-channel.ts";
import { ExportFault, LineSum, lineOf } from "./export-format.ts";
import { type ExportPart, readExport } from "./read-export.ts";
import { ORDERED_AS_INSERTED } from "./table-facts.ts";

/** Tables of the last version before the baseline that the present schema does not have. */
const GONE: ReadonlySet<string> = new Set([
  ...Object.keys(SETTINGS_BEFORE),
  "brand_logos",
  "cash_deposits",
  "catalog_imports",
  "catalog_upload_parts",
  "catalog_uploads",
  "figure_days",
  "figure_quarters",
  "figure_tenders",
  "ledger_entries",
  "number_checks",
  "owed_lines",
  "receipt_prints",
  "recharge_payments",
  "recharge_references",
  "recharge_reversals",
  "report_log",
  "shift_movements",
  "shop_logos",
  "transaction_counts",
  "webhook_delivery_counts",
  "z_report_prints",
]);

/** Tables of the baseline that are filled after an import, with their columns in export order. */
const FILLED_LATER: Readonly<Record<string, readonly string[]>> = {
  // The job that closes days recounts all figures.
  day_figures: [
    ["account_id", "currency", "dimension", "environment", "quarter", "value"],
    SUMS,
    ["check_sum"],
  ]
    .flat()
    .toSorted(),
};

/**
 * Column changes from the last version before the baseline to the baseline, by table: removed
 * columns, and new columns with their values. Every incompatible change must be listed.
 */
const COLUMNS: Readonly<Record<string, ColumnChanges>> = {
  // Phone numbers are now stored only in their canonical form.
  environment_settings: { gone: ["numbers_rewritten_until"], added: { figures_until: () => 0 } },
  upstreams: {
    added: {
      kind: () => "gateway",
      provider_id: () => "first",
      name: () => "",
      paused_at: () => null,
      replaced_at: () => null,
    },
  },
  waiting_catalogs: { added: { provider_id: () => "first" } },
  brand_states: { added: { provider_id: () => "first" } },
  offers: { added: { provider_id: () => null, product_id: () => null } },
  promos: { added: { provider_id: () => null } },
  api_keys: { added: { scopes: () => "read sell reports", expires_at: () => null } },
  customer_refunds: { added: { replaced_by: () => null } },
  purchase_losses: { added: { is_released: () => 0 } },
  // Every kit in an export is confirmed: a new kit immediately replaced the previous one.
  recovery_kits: { added: { is_draft: () => 0 } },
  // A posting now contains the amount and both balances of its two entries.
  ledger_postings: {
    joined: ["amount", "from_balance", "to_balance"],
    added: { leg: () => 1 },
  },
  transaction_log: {
    gone: ["message"],
    added: { message: (row) => toStoredMessage(String(row.status), String(row.message)) },
  },
  // A report now contains the message of its last log entry.
  reports: { joined: ["end_message"], added: { requested_at: () => null } },
  // A webhook now takes several kinds, so each message has its own kind.
  webhook_endpoints: {
    gone: ["kind"],
    added: {
      kinds: (row) => row.kind,
      description: () => null,
      listening_until: () => null,
      listener_cursor: () => null,
    },
  },
  webhook_deliveries: {
    gone: ["transaction_id"],
    joined: ["kind"],
    added: { subject: (row) => row.transaction_id },
  },
  // A line now contains its number check, the time of its return, and whether its money is owed.
  sale_lines: { joined: ["checked_by", "owed", "returned_at"] },
  purchases: {
    gone: ["offer_json"],
    joined: ["channel"],
    added: {
      offer_version: (row) => toOfferDigest(String(row.offer_json)),
      // The earlier version did not store the rate of purchases through `/v1`.
      shop_cost: () => null,
      shop_rate: () => null,
      shop_tax: () => null,
      tax_rate: () => null,
      provider_id: () => null,
      product_id: () => null,
      refused_by: () => null,
      may_have_moved: () => null,
    },
  },
};

interface ColumnChanges {
  gone?: readonly string[];
  /** New columns whose values need other rows (see `convert`). */
  joined?: readonly string[];
  added?: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => unknown>>;
}

/**
 * A table of the baseline that merges the rows of several removed tables. Rows with the same key
 * become one row.
 */
interface MergedTable {
  columns: readonly string[];
  key: readonly string[];
  sources: Readonly<Record<string, (rows: readonly Values[]) => readonly Values[]>>;
}

const SCOPE = ["account_id", "environment"];

const MERGED: Readonly<Record<string, MergedTable>> = {
  cash_movements: {
    columns: [
      SCOPE,
      ["movement_id", "shift_id", "kind", "amount", "currency", "reason", "staff_id"],
      ["approved_by", "recorded_at"],
    ].flat(),
    key: [...SCOPE, "movement_id"],
    sources: {
      shift_movements: (rows) => rows,
      cash_deposits: (rows) =>
        rows.map(({ deposit_id, reference, ...row }) => ({
          ...row,
          movement_id: deposit_id,
          reason: reference,
        })),
    },
  },
  prints: {
    columns: [...SCOPE, "kind", "subject", "copy_number", "staff_id", "printed_at"],
    key: [...SCOPE, "kind", "subject", "copy_number"],
    sources: {
      receipt_prints: (rows) =>
        rows.map(({ sale_id, ...row }) => ({ ...row, kind: "SALE", subject: sale_id })),
      z_report_prints: (rows) =>
        rows.map(({ z_number, ...row }) => ({
          ...row,
          kind: "Z_REPORT",
          subject: String(z_number),
        })),
    },
  },
  recharges: {
    columns: [
      [...SCOPE, "transaction_id"],
      ["paid", "currency", "average", "recharged_at", "reference"],
      ["reversed_transaction_id", "reason", "staff_id"],
    ].flat(),
    key: [...SCOPE, "transaction_id"],
    sources: {
      recharge_payments: (rows) => rows,
      recharge_references: (rows) => rows,
      recharge_reversals: (rows) => rows,
    },
  },
  settings: {
    columns: [...SCOPE, "name", "value_json", "secret_sealed"],
    key: [...SCOPE, "name"],
    sources: SETTINGS_BEFORE,
  },
  logos: {
    columns: ["account_id", "brand", "digest", "media_type", "width", "height", "content"],
    key: ["account_id", "brand"],
    sources: {
      shop_logos: (rows) => rows.map((row) => ({ ...row, brand: "" })),
      // SVG logos are omitted. Such a brand shows its drawn card until the owner uploads a logo.
      brand_logos: (rows) => rows.filter(({ media_type }) => media_type !== "image/svg+xml"),
    },
  },
  catalog_files: {
    columns: [
      [...SCOPE, "import_id", "name", "bytes", "received_bytes", "state", "outcome_json"],
      ["staff_id", "touched_at", "checked_at", "base_version", "difference_json"],
    ].flat(),
    key: SCOPE,
    sources: {
      catalog_imports: (rows) =>
        rows.map((row) => ({
          ...row,
          received_bytes: row.bytes,
          state: "READY",
          outcome_json: "{}",
          touched_at: row.checked_at,
        })),
      // Only an upload that is being written has a checked file.
      catalog_uploads: (rows) =>
        rows.map((row) =>
          row.state === "WRITING"
            ? row
            : { ...row, checked_at: null, base_version: null, difference_json: null },
        ),
    },
  },
  catalog_file_parts: {
    columns: [...SCOPE, "import_id", "first_byte", "content"],
    key: [...SCOPE, "import_id", "first_byte"],
    sources: {
      catalog_imports: (rows) => rows.map((row) => ({ ...row, first_byte: 0 })),
      catalog_upload_parts: (rows) => rows,
    },
  },
};

/**
 * Yields the parts of an export. An export of the last version before the baseline is converted to
 * the baseline's tables, and the sum at the end of each table covers the converted rows.
 */
export async function* toBaseline(file: string): AsyncGenerator<ExportPart> {
  let isToConvert = false;
  let conversion: TableConversion | undefined;
  let entries: LedgerEntries | undefined;
  let joiner: RowJoiner | undefined;
  for await (const part of readExport(file)) {
    if ("head" in part) isToConvert = isEarlier(new Set(part.head.migrations));
    if ("begin" in part) {
      const { table } = part.begin;
      if (isToConvert && table === "purchases") yield* readOfferVersions(file);
      joiner = isToConvert ? await JOINERS[table]?.(file) : undefined;
      conversion = isToConvert
        ? new TableConversion(part.begin.table, part.begin.columns)
        : undefined;
    }
    if (conversion && "row" in part && part.of === "ledger_postings") {
      entries ??= new LedgerEntries(file);
      const named = conversion.nameValues(part.row);
      const converted = conversion.convert(part, await entries.join(named));
      if (converted) yield converted;
      continue;
    }
    if (isToConvert && "whole" in part) {
      for (const [table, columns] of Object.entries(FILLED_LATER)) {
        yield* writeTable(table, columns, []);
      }
      for (const [table, merged] of Object.entries(MERGED)) yield* readMerged(file, table, merged);
    }
    const joined = conversion && "row" in part && joiner?.join(conversion.nameValues(part.row));
    const converted = conversion ? conversion.convert(part, joined || {}) : part;
    if (converted) yield converted;
  }
}

type Values = Readonly<Record<string, unknown>>;

interface RowJoiner {
  /** Returns the values of a row's joined columns. */
  join(row: Values): Values;
}

const JOINERS: Readonly<Record<string, (file: string) => Promise<RowJoiner>>> = {
  purchases: (file) => Channels.read(file),
  reports: (file) => ReportEnds.read(file),
  sale_lines: (file) => ReturnedLines.read(file),
  webhook_deliveries: (file) => EndpointKinds.read(file),
};

/** Kinds of webhooks, which their messages have. */
class EndpointKinds {
  readonly #kinds = new Map<string, unknown>();

  static async read(file: string): Promise<EndpointKinds> {
    const found = new EndpointKinds();
    for await (const row of readRows(file, "webhook_endpoints")) {
      found.#kinds.set(toKey(row, "endpoint_id"), row.kind);
    }
    return found;
  }

  join(row: Values): Values {
    return { kind: this.#kinds.get(toKey(row, "endpoint_id")) };
  }
}

/** Messages of the last log entries of reports. */
class ReportEnds {
  readonly #messages = new Map<string, unknown>();

  static async read(file: string): Promise<ReportEnds> {
    const found = new ReportEnds();
    for await (const row of readRows(file, "report_log")) {
      if (row.status !== "REQUESTED") found.#messages.set(toKey(row, "report_id"), row.message);
    }
    return found;
  }

  join(row: Values): Values {
    return { end_message: this.#messages.get(toKey(row, "report_id")) ?? null };
  }
}

/** Account to which each kind of posting adds. A negative amount takes from that account. */
const ADDS_TO: Readonly<Record<string, string>> = {
  RECHARGE: "wallet.available",
  HOLD: "wallet.held",
  CAPTURE: "provider.spent",
  RELEASE: "wallet.available",
  REFUND: "wallet.available",
};

/** Reads the ledger entries of an export, in the order of the postings. */
class LedgerEntries {
  readonly #rows: AsyncGenerator<Values, void>;

  constructor(file: string) {
    this.#rows = readRows(file, "ledger_entries");
  }

  /**
   * Returns the columns that replace the two entries of a posting. Must be called in
   * the order of the postings.
   */
  async join({ posting_id, kind }: Values): Promise<Values> {
    const pair: Values[] = [];
    while (pair.length < 2) {
      const next = await this.#rows.next();
      if (next.done || next.value.posting_id !== posting_id) {
        throw new ExportFault(`the posting ${posting_id} lacks entries`);
      }
      pair.push(next.value);
    }
    const to = pair.find(({ name }) => name === ADDS_TO[String(kind)]);
    const from = pair.find((entry) => entry !== to);
    return {
      amount: to?.amount,
      from_balance: from?.balance_after,
      to_balance: to?.balance_after,
    };
  }
}

/** Number checks of an export, and its lines whose purchases failed or were refunded. */
class ReturnedLines {
  readonly #checkedBy = new Map<string, unknown>();
  readonly #returnedAt = new Map<string, unknown>();
  readonly #owed = new Set<string>();

  static async read(file: string): Promise<ReturnedLines> {
    const found = new ReturnedLines();
    const refundedAt = new Map<string, unknown>();
    for await (const row of readRows(file, "transactions")) {
      const isRefund = row.product_type === "REFUND" && row.status === "DONE";
      if (isRefund) refundedAt.set(toKey(row), row.finished_at);
      if (row.status !== "FAILED" || row.training === 1) continue;
      found.#returnedAt.set(toKey(row), row.finished_at);
    }
    for await (const row of readRows(file, "refunds")) {
      const at = refundedAt.get(toKey(row));
      const purchase = { ...row, transaction_id: row.refunded_transaction_id };
      if (at === undefined) continue;
      found.#returnedAt.set(toKey(purchase), at);
      // In the earlier version, the customer of such a purchase could not get a refund.
      found.#owed.add(toKey(purchase));
    }
    for await (const row of readRows(file, "owed_lines")) found.#owed.add(toKey(row));
    for await (const row of readRows(file, "number_checks")) {
      found.#checkedBy.set(toKey(row), row.checked_by);
    }
    return found;
  }

  join(row: Values): Values {
    const key = toKey(row);
    const isOwed = this.#owed.has(key) && Number(row.price) > Number(row.discount);
    return {
      checked_by: this.#checkedBy.get(key) ?? null,
      owed: isOwed ? 1 : 0,
      returned_at: this.#returnedAt.get(key) ?? null,
    };
  }
}

/** Channels of the purchases of an export. */
class Channels {
  readonly #lines = new Set<string>();
  readonly #bulk = new Set<string>();

  static async read(file: string): Promise<Channels> {
    const found = new Channels();
    for await (const row of readRows(file, "sale_lines")) found.#lines.add(toKey(row));
    for await (const row of readRows(file, "bulk_lines")) {
      if (row.state === "SOLD") found.#bulk.add(toKey(row));
    }
    return found;
  }

  join(row: Values): Values {
    const key = toKey(row);
    if (!this.#lines.has(key)) return { channel: CHANNEL_CODES.API };
    return { channel: this.#bulk.has(key) ? CHANNEL_CODES.BULK : CHANNEL_CODES.TILL };
  }
}

function toKey(row: Values, id = "transaction_id"): string {
  return JSON.stringify([row.account_id, row.environment, row[id]]);
}

async function* readRows(file: string, table: string): AsyncGenerator<Values, void> {
  let columns: readonly string[] = [];
  for await (const part of readExport(file)) {
    if ("begin" in part) ({ columns } = part.begin);
    if (!("row" in part) || part.of !== table) continue;
    yield Object.fromEntries(columns.map((name, index) => [name, part.row[index]]));
  }
}

/** Yields the rows of `offer_versions`: each sold version of an offer once. */
async function* readOfferVersions(file: string): AsyncGenerator<ExportPart> {
  const versions = new Map<string, readonly string[]>();
  for await (const { account_id, environment, offer_json } of readRows(file, "purchases")) {
    const values = [account_id, environment, offer_json].map(String);
    const [account = "", where = "", text = ""] = values;
    const digest = toOfferDigest(text);
    versions.set([account, where, digest].join("\n"), [account, digest, where, text]);
  }
  // Sorted by the key of the table, as in an export.
  const rows = [...versions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  yield* writeTable(
    "offer_versions",
    ["account_id", "digest", "environment", "offer_json"],
    rows.map(([, row]) => row),
  );
}

function* writeTable(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Generator<ExportPart> {
  yield { begin: { table, columns: [...columns] } };
  const sum = new LineSum();
  for (const row of rows) {
    const line = lineOf(row);
    sum.add(line);
    yield { row: [...row], of: table, characters: line.length };
  }
  yield { end: { end: table, rows: sum.rows, sha256: sum.digest() } };
}

async function* readMerged(
  file: string,
  table: string,
  { columns, key, sources }: MergedTable,
): AsyncGenerator<ExportPart> {
  const rows = new Map<string, Values>();
  for (const [source, convert] of Object.entries(sources)) {
    const read: Values[] = [];
    for await (const row of readRows(file, source)) read.push(row);
    for (const converted of convert(read)) {
      const id = JSON.stringify(key.map((name) => converted[name]));
      rows.set(id, { ...rows.get(id), ...converted });
    }
  }
  // A table in insertion order keeps the order of its first source.
  const sorted = ORDERED_AS_INSERTED.has(table)
    ? [...rows.values()]
    : [...rows.values()].toSorted((one, other) => compareKeys(key, one, other));
  const ordered = columns.toSorted();
  yield* writeTable(
    table,
    ordered,
    sorted.map((row) => ordered.map((name) => row[name] ?? null)),
  );
}

/** Compares rows by the columns of a key. Texts are compared by their bytes, as in an export. */
function compareKeys(key: readonly string[], one: Values, other: Values): number {
  for (const name of key) {
    const [a, b] = [one[name], other[name]];
    const order =
      typeof a === "number" && typeof b === "number"
        ? a - b
        : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    if (order !== 0) return order;
  }
  return 0;
}

class TableConversion {
  readonly #isGone: boolean;
  readonly #changes: ColumnChanges | undefined;
  readonly #columns: readonly string[];
  readonly #converted: string[];
  readonly #sum = new LineSum();

  constructor(table: string, columns: readonly string[]) {
    this.#isGone = GONE.has(table);
    this.#changes = COLUMNS[table];
    this.#columns = columns;
    const { gone = [], joined = [], added = {} } = this.#changes ?? {};
    const kept = columns.filter((name) => !gone.includes(name));
    this.#converted = [kept, joined, Object.keys(added)].flat().sort();
  }

  /**
   * @param joined values of the joined columns of the row
   * @returns undefined for a part of a removed table
   */
  convert(part: ExportPart, joined: Values = {}): ExportPart | undefined {
    if ("whole" in part) return part;
    if (this.#isGone) return undefined;
    if (!this.#changes) return part;
    if ("begin" in part) return { begin: { ...part.begin, columns: this.#converted } };
    if ("row" in part) {
      const named = { ...this.nameValues(part.row), ...joined };
      const row = this.#convertRow(named);
      const line = lineOf(row);
      this.#sum.add(line);
      return { ...part, row, characters: line.length };
    }
    if ("end" in part) {
      return { end: { ...part.end, rows: this.#sum.rows, sha256: this.#sum.digest() } };
    }
    return part;
  }

  nameValues(values: readonly unknown[]): Record<string, unknown> {
    return Object.fromEntries(this.#columns.map((name, index) => [name, values[index]]));
  }

  #convertRow(row: Record<string, unknown>): unknown[] {
    for (const [name, value] of Object.entries(this.#changes?.added ?? {})) row[name] = value(row);
    return this.#converted.map((name) => row[name]);
  }
}
