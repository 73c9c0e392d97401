import { toHarmlessCell } from "../reports/index.ts";

/** A column of a file, and its cell for a row. */
export type Column<Row> = readonly [name: string, cellOf: (row: Row) => string];

/** Readers that would guess another encoding see it. */
const BYTE_ORDER_MARK = "\uFEFF";
/** An amount or a rate: everything else is text, so that no digits of an id are lost. */
const AMOUNT = /^-?\d+\.\d+$/;

/**
 * CSV of RFC 4180, in UTF-8 with a byte order mark: texts and ids in quotes, amounts without, none of
 * them a formula (rules#figure-csv).
 * @param pages rows, so many at a time
 */
export async function* formatCsv<Row>(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toText([columns.map(([name]) => name)]);
  for await (const rows of pages) {
    if (rows.length > 0) yield toText(rows.map((row) => columns.map(([, cellOf]) => cellOf(row))));
  }
}

function toText(rows: readonly string[][]): string {
  return rows.map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("");
}

function toCell(cell: string): string {
  return AMOUNT.test(cell) ? cell : `"${toHarmlessCell(cell).replaceAll('"', '""')}"`;
}
