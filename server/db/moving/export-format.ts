import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import type { TableFacts, ValueKind } from "./table-facts.ts";

/**
 * An export consists of lines of JSON: a head; for each table a start, a line per row and an end;
 * and the end of the export (docs/operate.md). It contains neither the time nor the place of its
 * creation, so that exports of the same rows have the same bytes.
 */
export const FORMAT = "tillgate-export-1";

export const Head = Type.Object({
  format: Type.String(),
  program: Type.String(),
  migrations: Type.Array(Type.String()),
});
export type Head = Static<typeof Head>;

export const TableBegin = Type.Object({
  table: Type.String(),
  columns: Type.Array(Type.String()),
  /** Last number that was used, if the table numbers its rows automatically. */
  last: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type TableBegin = Static<typeof TableBegin>;

export const TableEnd = Type.Object({
  end: Type.String(),
  rows: Type.Integer({ minimum: 0 }),
  /** SHA-256 of the lines of the table's rows. */
  sha256: Type.String(),
});
export type TableEnd = Static<typeof TableEnd>;

export const WholeEnd = Type.Object({
  tables: Type.Integer(),
  rows: Type.Integer(),
  /** SHA-256 of all previous lines. */
  sha256: Type.String(),
});
export type WholeEnd = Static<typeof WholeEnd>;

export const Row = Type.Array(Type.Unknown());

/** An error in an export or in the exported data, with a message for users. */
export class ExportFault extends Error {}

export class LineSum {
  readonly #hash = createHash("sha256");
  rows = 0;
  add(line: string | Uint8Array): void {
    this.#hash.update(line);
    this.rows += 1;
  }
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

export function lineOf(content: unknown): string {
  return `${JSON.stringify(content)}\n`;
}

/**
 * Returns the line of a row.
 * @throws ExportFault for a number that JSON would change
 */
export function rowLine({ name, columns }: TableFacts, row: Record<string, unknown>): string {
  const values = columns.map((column) => {
    const value = row[column.name] ?? null;
    if (Buffer.isBuffer(value)) return { base64: value.toString("base64") };
    if (column.kind === "integer" && value !== null && !Number.isSafeInteger(value)) {
      throw new ExportFault(`${name}.${column.name} holds a number beyond 2^53`);
    }
    return value;
  });
  return lineOf(values);
}

const FITS: Record<ValueKind, (value: unknown) => boolean> = {
  integer: (value) => Number.isSafeInteger(value),
  real: (value) => typeof value === "number",
  text: (value) => typeof value === "string",
  blob: (value) => Buffer.isBuffer(value),
};

/**
 * Returns the values of a row's line.
 * @throws ExportFault if a value does not fit its column
 */
export function valuesOf({ name, columns }: TableFacts, row: readonly unknown[]): unknown[] {
  if (row.length !== columns.length) throw new ExportFault(`a row of ${name} has other columns`);
  return columns.map((column, index) => {
    const stored = row[index];
    const value = isBlob(stored) ? Buffer.from(stored.base64, "base64") : stored;
    if (value === null || FITS[column.kind](value)) return value;
    throw new ExportFault(`${name}.${column.name} holds no ${column.kind}`);
  });
}

function isBlob(value: unknown): value is { base64: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "base64" in value &&
    typeof value.base64 === "string"
  );
}
