import { SUMS } from "../figure-columns.ts";
import { toStoredMessage } from "../log-messages.ts";
import { isEarlier } from "../migrations/index.ts";
import { toOfferDigest } from "../offer-digest.ts";
import { ExportFault, LineSum, lineOf } from "./export-format.ts";
import { type ExportPart, readExport } from "./read-export.ts";
import { ORDERED_AS_INSERTED } from "./table-facts.ts";

/** Tables of an export of the last version before the baseline that have no counterpart. */
const GONE: ReadonlySet<string> = new Set([
  "cash_deposits",
  "figure_days",
  "figure_quarters",
  "figure_tenders",
  "ledger_entries",
  "owed_lines",
  "receipt_prints",
  "recharge_payments",
  "recharge_references",
  "recharge_reversals",
  "shift_movements",
  "transaction_counts",
  "webhook_delivery_counts",
  "z_report_prints",
]);

/** Tables of the baseline that are filled after an import, with their columns in the order of an export. */
const FILLED_LATER: Readonly<Record<string, readonly string[]>> = {
  // The job that closes days counts all figures again.
  day_figures: [
    ["account_id", "currency", "dimension", "environment", "quarter", "value"],
    SUMS,
    ["check_sum"],
  ]
    .flat()
    .toSorted(),
};

/**
 * Columns of such an export that have no counterpart, and new ones with their values, by table. Each change of the
 * baseline that an export does not fit is stated here.
 */
const COLUMNS: Readonly<Record<string, ColumnChanges>> = {
  // Logos are pixels now: without its SVG, a brand has its drawn card until its owner uploads the logo again.
  brand_logos: { omits: (row) => row.media_type === "image/svg+xml" },
  // Numbers are stored in their canonical form only.
  environment_settings: { gone: ["numbers_rewritten_until"], added: { figures_until: () => 0 } },
  customer_refunds: { added: { replaced_by: () => null } },
  purchase_losses: { added: { is_released: () => 0 } },
  // Each kit replaced the previous one at once.
  recovery_kits: { added: { is_draft: () => 0 } },
  // A posting has the amount and both balances of its two entries.
  ledger_postings: { joined: ["amount", "from_balance", "to_balance"] },
  transaction_log: {
    gone: ["message"],
    added: { message: (row) => toStoredMessage(String(row.status), String(row.message)) },
  },
  // A line has the time of its return, and whether its money is owed.
  sale_lines: { joined: ["owed", "returned_at"] },
  purchases: {
    gone: ["offer_json"],
    added: { offer_version: (row) => toOfferDigest(String(row.offer_json)) },
  },
};

interface ColumnChanges {
  /** Whether a row is left out. */
  omits?: (row: Readonly<Record<string, unknown>>) => boolean;
  gone?: readonly string[];
  /** New ones whose values depend on the row (`convert`). */
  joined?: readonly string[];
  added?: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => unknown>>;
}

/** A table of the baseline that has the rows of several removed ones. Rows with an equal key are one. */
interface MergedTable {
  columns: readonly string[];
  key: readonly string[];
  sources: Readonly<Record<string, (row: Values) => Values>>;
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
      shift_movements: (row) => row,
      cash_deposits: ({ deposit_id, reference, ...row }) => ({
        ...row,
        movement_id: deposit_id,
        reason: reference,
      }),
    },
  },
  prints: {
    columns: [...SCOPE, "kind", "subject", "copy_number", "staff_id", "printed_at"],
    key: [...SCOPE, "kind", "subject", "copy_number"],
    sources: {
      receipt_prints: ({ sale_id, ...row }) => ({ ...row, kind: "SALE", subject: sale_id }),
      z_report_prints: ({ z_number, ...row }) => ({
        ...row,
        kind: "Z_REPORT",
        subject: String(z_number),
      }),
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
      recharge_payments: (row) => row,
      recharge_references: (row) => row,
      recharge_reversals: (row) => row,
    },
  },
};

/**
 * Yields the parts of an export. One of the last version before the baseline is converted to the tables of the
 * baseline; the sums at the ends of its tables are those of the converted rows.
 */
export async function* toBaseline(file: string): AsyncGenerator<ExportPart> {
  let isToConvert = false;
  let conversion: TableConversion | undefined;
  let entries: LedgerEntries | undefined;
  let returned: ReturnedLines | undefined;
  for await (const part of readExport(file)) {
    if ("head" in part) isToConvert = isEarlier(new Set(part.head.migrations));
    if ("begin" in part) {
      const { table } = part.begin;
      if (isToConvert && table === "purchases") yield* readOfferVersions(file);
      returned = isToConvert && table === "sale_lines" ? await ReturnedLines.read(file) : undefined;
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
    const joined = conversion && "row" in part && returned?.join(conversion.nameValues(part.row));
    const converted = conversion ? conversion.convert(part, joined || {}) : part;
    if (converted) yield converted;
  }
}

type Values = Readonly<Record<string, unknown>>;

/** The account that each kind of posting adds to. A recharge that took from the wallet has a negative amount. */
const ADDS_TO: Readonly<Record<string, string>> = {
  RECHARGE: "wallet.available",
  HOLD: "wallet.held",
  CAPTURE: "provider.spent",
  RELEASE: "wallet.available",
  REFUND: "wallet.available",
};

/** Reads the entries of an export beside its postings: both are in the order of the postings. */
class LedgerEntries {
  readonly #rows: AsyncGenerator<Values, void>;

  constructor(file: string) {
    this.#rows = readRows(file, "ledger_entries");
  }

  /**
   * Returns the columns that a posting has in place of its entries. Must be called in the order of the
   * postings.
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

/** The lines of an export whose purchases failed or were refunded. */
class ReturnedLines {
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
      // That version had no customer refund of such a line.
      found.#owed.add(toKey(purchase));
    }
    for await (const row of readRows(file, "owed_lines")) found.#owed.add(toKey(row));
    return found;
  }

  /** Returns the values of the new columns of a line. */
  join(row: Values): Values {
    const key = toKey(row);
    const isOwed = this.#owed.has(key) && Number(row.price) > Number(row.discount);
    return { owed: isOwed ? 1 : 0, returned_at: this.#returnedAt.get(key) ?? null };
  }
}

function toKey({ account_id, environment, transaction_id }: Values): string {
  return JSON.stringify([account_id, environment, transaction_id]);
}

/** The rows of one table of an export, by the names of their columns. */
async function* readRows(file: string, table: string): AsyncGenerator<Values, void> {
  let columns: readonly string[] = [];
  for await (const part of readExport(file)) {
    if ("begin" in part) ({ columns } = part.begin);
    if (!("row" in part) || part.of !== table) continue;
    yield Object.fromEntries(columns.map((name, index) => [name, part.row[index]]));
  }
}

/** Yields the offers as they were sold, each once: the table that purchases refer to. */
async function* readOfferVersions(file: string): AsyncGenerator<ExportPart> {
  const versions = new Map<string, readonly string[]>();
  for await (const { account_id, environment, offer_json } of readRows(file, "purchases")) {
    const [account, where, text] = [account_id, environment, offer_json].map(String);
    if (account === undefined || where === undefined || text === undefined) continue;
    const digest = toOfferDigest(text);
    versions.set([account, where, digest].join("\n"), [account, digest, where, text]);
  }
  // By the key of the table, as in an export.
  const rows = [...versions].toSorted(([one], [other]) => (one < other ? -1 : 1));
  yield* writeTable(
    "offer_versions",
    ["account_id", "digest", "environment", "offer_json"],
    rows.map(([, row]) => row),
  );
}

/** Yields the parts of a table. */
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

/** Yields a table of the baseline with the rows of several removed ones. */
async function* readMerged(
  file: string,
  table: string,
  { columns, key, sources }: MergedTable,
): AsyncGenerator<ExportPart> {
  const rows = new Map<string, Values>();
  for (const [source, convert] of Object.entries(sources)) {
    for await (const row of readRows(file, source)) {
      const converted = convert(row);
      const id = JSON.stringify(key.map((name) => converted[name]));
      rows.set(id, { ...rows.get(id), ...converted });
    }
  }
  // The rows of a table that is ordered as inserted stay in the order of its first source.
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

/** Compares rows by the columns of a key: texts by their bytes, as an export does. */
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

/** The conversion of the rows of one table. */
class TableConversion {
  readonly #isGone: boolean;
  readonly #changes: ColumnChanges | undefined;
  readonly #columns: readonly string[];
  /** The columns of the baseline, in the order of an export. */
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
   * @param joined the values of the joined columns of a row
   * @returns undefined for a part of a removed table
   */
  convert(part: ExportPart, joined: Values = {}): ExportPart | undefined {
    if ("whole" in part) return part;
    if (this.#isGone) return undefined;
    if (!this.#changes) return part;
    if ("begin" in part) return { begin: { ...part.begin, columns: this.#converted } };
    if ("row" in part) {
      const named = { ...this.nameValues(part.row), ...joined };
      if (this.#changes.omits?.(named)) return undefined;
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
