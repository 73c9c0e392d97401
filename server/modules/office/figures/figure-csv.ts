import { pause } from "../../../lib/clock.ts";
import { toHarmlessCell } from "../../books/reports/index.ts";

/** A column of a file, and its cell for a row. */
export type Column<Row> = readonly [name: string, cellOf: (row: Row) => string];

/** How cells are parted and amounts are written. */
export interface CsvDialect {
  separator: "," | ";";
  decimalMark: "." | ",";
}

/** What programs read. */
const PROGRAM_CSV: CsvDialect = { separator: ",", decimalMark: "." };
/** What spreadsheets read where amounts are written with a comma. */
const SPREADSHEET_CSV: CsvDialect = { separator: ";", decimalMark: "," };

/** The same where amounts are written with a point, as in Guatemala, Mexico and Peru. */
const SPREADSHEET_DOT_CSV: CsvDialect = { separator: ";", decimalMark: "." };
/** By the name of the format. */
export const DIALECTS = {
  CSV: PROGRAM_CSV,
  SPREADSHEET: SPREADSHEET_CSV,
  SPREADSHEET_DOT: SPREADSHEET_DOT_CSV,
} as const;

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
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  columns: readonly Column<Row>[],
  dialect: CsvDialect = PROGRAM_CSV,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toText([columns.map(([name]) => name)], dialect);
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield toText(
      rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
      dialect,
    );
    // The next page is read on the gateway's own thread: everybody else has a turn first.
    await pause();
  }
}

function toText(rows: readonly string[][], dialect: CsvDialect): string {
  const { separator } = dialect;
  return rows
    .map((cells) => `${cells.map((cell) => toCell(cell, dialect)).join(separator)}\r\n`)
    .join("");
}

function toCell(cell: string, { decimalMark }: CsvDialect): string {
  return AMOUNT.test(cell)
    ? cell.replace(".", decimalMark)
    : `"${toHarmlessCell(cell).replaceAll('"', '""')}"`;
}
