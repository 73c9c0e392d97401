import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/**
 * Writes the export of a shop with a sale of each kind, made by the last version before the baseline
 * (`sold-samples.ts`; without unsold offers).
 */
export function writeEarlierExport(file: string): void {
  const packed = readFileSync(new URL("earlier-shop.ndjson.gz", import.meta.url));
  writeFileSync(file, gunzipSync(packed));
}

/** The tables of that version that were deleted with the baseline. */
const GONE_TABLES = ["transaction_counts", "webhook_delivery_counts"];

/** Columns that the baseline has and that version had not, with their values, and the other way round. */
const CHANGED_COLUMNS: Readonly<Record<string, { gone?: string; added?: [string, unknown] }>> = {
  environment_settings: { gone: "numbers_rewritten_until" },
  purchase_losses: { added: ["is_released", 0] },
  recovery_kits: { added: ["is_draft", 0] },
};

/** Returns the tables of that version's export as the baseline has them. */
export function toBaselineTables(tables: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const converted = new Map<string, string[]>();
  for (const [name, [head = "", ...rows]] of tables) {
    if (GONE_TABLES.includes(name)) continue;
    const { gone, added } = CHANGED_COLUMNS[name] ?? {};
    const { columns } = JSON.parse(head) as { columns: string[] };
    const next = columns.filter((column) => column !== gone);
    if (added) next.push(added[0]);
    next.sort();
    const valuesOf = (row: string): unknown[] => {
      const named = new Map(columns.map((column, at) => [column, JSON.parse(row)[at] as unknown]));
      if (added) named.set(...added);
      return next.map((column) => named.get(column));
    };
    const isSame = gone === undefined && added === undefined;
    const lines = isSame ? rows : rows.map((row) => JSON.stringify(valuesOf(row)));
    const begin = JSON.stringify({ table: name, columns: next });
    converted.set(name, [isSame ? head : begin, ...lines]);
  }
  return converted;
}

/** Returns the columns and rows of each table in an export, as its lines. */
export function readTables(file: string): Map<string, string[]> {
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
