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

/** Tables of that version that the baseline deleted. */
export const GONE_TABLES = ["transaction_counts", "webhook_delivery_counts"];

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
