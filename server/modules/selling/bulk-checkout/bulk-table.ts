import { CsvError, parse } from "csv-parse/sync";
import { type Static, Type } from "typebox";
import { MOST_BULK_LINES } from "../../../contract/pos/bulk-runs.ts";
import { Problem } from "../../../contract/problem.ts";

export const BulkCells = Type.Record(Type.String(), Type.String());
export type BulkCells = Static<typeof BulkCells>;

export interface TableLine {
  line: number;
  cells: BulkCells;
  /** The line has more cells than the header, or a cell is too long. */
  isTooLong: boolean;
}

const COLUMN_NAMES: Readonly<Record<string, readonly string[]>> = {
  offer: ["offer", "offerid", "product", "productid"],
  brand: ["brand", "carrier", "operator"],
  amount: ["amount"],
  recipient: [
    "recipient",
    "number",
    "phone",
    "phonenumber",
    "mobile",
    "msisdn",
    "account",
    "iccid",
  ],
  value: ["value", "price"],
  note: ["note", "comment"],
};
const COLUMN_OF = new Map(
  Object.entries(COLUMN_NAMES).flatMap(([column, names]) =>
    names.map((name): [string, string] => [name, column]),
  ),
);
export const FIELD_PREFIX = "field.";
const DELIMITERS = [",", ";", "\t"] as const;
/** Spreadsheets state the delimiter in a line such as `sep=;`. */
const DELIMITER_LINE = /^\uFEFF?"?sep=([^\p{L}\p{N}\s"]|\t)"?[\t ]*(?:\r\n|\r|\n|$)/iu;
const WORKBOOKS = ["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"];
const MAX_CELL_LENGTH = 500;
const MAX_COLUMNS = 40;
const MAX_FIELD_LENGTH = 120;

const UNSEEN = /[\p{Cc}\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/**
 * Accepts commas, semicolons and tabs. Skips empty lines.
 * @throws Problem BULK_FILE_FAULT: `fields.fault` names the error, with `line` and `column` if
 * known
 */
export function readTable(text: string): TableLine[] {
  if (WORKBOOKS.some((start) => text.startsWith(start))) {
    throw fileFault("WORKBOOK", "This is a workbook (.xlsx, .xls or .ods), not a CSV file.");
  }
  const records = parseRecords(text);
  const [header, ...lines] = records;
  if (!header) throw fileFault("EMPTY", "The table is empty.");
  const columns = readHeader(header.record);
  if (lines.length === 0) throw fileFault("NO_LINES", "The table has a header and no lines.");
  if (lines.length > MOST_BULK_LINES) {
    throw fileFault("TOO_MANY_LINES", `The table has more than ${MOST_BULK_LINES} lines.`, {
      most: String(MOST_BULK_LINES),
    });
  }
  return lines.map(({ record, line }) => ({
    line,
    cells: toCells(columns, record),
    isTooLong:
      record.slice(columns.length).some((cell) => tidyCell(cell) !== "") ||
      record.some((cell) => cell.length > MAX_CELL_LENGTH),
  }));
}

/** Removes invisible characters and the marks that spreadsheets add to text cells. */
function tidyCell(cell: string): string {
  const seen = cell.normalize("NFKC").replaceAll(UNSEEN, " ").replaceAll(/\s+/gu, " ").trim();
  const text = /^="(.*)"$/.exec(seen)?.[1] ?? seen.replace(/^'(?=[=+\-@\d])/, "");
  return text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g, latinDigit).trim();
}

const DEVANAGARI_ZERO = 0x0966;

function latinDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code >= DEVANAGARI_ZERO ? code - DEVANAGARI_ZERO : code & 0xf);
}

function parseRecords(stated: string): { record: string[]; line: number }[] {
  const [marked = "", mark] = DELIMITER_LINE.exec(stated) ?? [];
  const text = stated.slice(marked.length);
  const linesBefore = mark === undefined ? 0 : 1;
  try {
    const places: number[] = [];
    const records = parse(text, {
      bom: true,
      delimiter: mark ?? detectDelimiter(text),
      on_record: (record, { lines }) => {
        places.push(lines + linesBefore);
        return record;
      },
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: 100_000,
      // Reads the header and one line more than allowed, to detect a file with too many lines.
      to: MOST_BULK_LINES + 2,
    });
    return records.map((record, index) => ({
      record,
      line: places[index] ?? index + 1 + linesBefore,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error;
    const line = typeof lines === "number" ? String(lines + linesBefore) : "1";
    throw fileFault("UNREADABLE", `Line ${line} cannot be read: a quotation mark is open.`, {
      line,
    });
  }
}

function detectDelimiter(text: string): string {
  const [first = ""] = text.split(/\r\n|\r|\n/, 20).filter((line) => line.trim() !== "");
  const bare = first.replaceAll(/"[^"]*"/g, "");
  const counted = DELIMITERS.map((sign) => ({ sign, count: bare.split(sign).length }));
  return counted.toSorted((one, other) => other.count - one.count)[0]?.sign ?? ",";
}

function readHeader(record: readonly string[]): (string | undefined)[] {
  if (record.length > MAX_COLUMNS) {
    throw fileFault("TOO_MANY_COLUMNS", `The header has more than ${MAX_COLUMNS} columns.`, {
      most: String(MAX_COLUMNS),
    });
  }
  const columns = record.map(columnNamed);
  const names = columns.filter((column) => column !== undefined);
  const twice = names.find((column, index) => names.indexOf(column) !== index);
  if (twice !== undefined) {
    throw fileFault("COLUMN_TWICE", `The column ${twice} is there twice.`, { column: twice });
  }
  if (!names.includes("offer") && !(names.includes("brand") && names.includes("amount"))) {
    throw fileFault("NO_OFFER_COLUMN", "The header has no column offer, nor brand and amount.");
  }
  return columns;
}

/**
 * @returns undefined for an empty name
 * @throws Problem BULK_FILE_FAULT for an unknown name
 */
function columnNamed(cell: string): string | undefined {
  const name = tidyCell(cell);
  if (name === "") return undefined;
  if (name.toLowerCase().startsWith(FIELD_PREFIX) && name.length <= MAX_FIELD_LENGTH) {
    return FIELD_PREFIX + name.slice(FIELD_PREFIX.length).trim();
  }
  const column = COLUMN_OF.get(name.toLowerCase().replaceAll(/[\s_-]/g, ""));
  if (column !== undefined) return column;
  const shown = name.slice(0, 60);
  throw fileFault("UNKNOWN_COLUMN", `There is no column ${shown}.`, { column: shown });
}

function toCells(columns: readonly (string | undefined)[], record: readonly string[]): BulkCells {
  return Object.fromEntries(
    columns.flatMap((column, index) => {
      const cell = tidyCell((record[index] ?? "").slice(0, MAX_CELL_LENGTH));
      return column === undefined || cell === "" ? [] : [[column, cell]];
    }),
  );
}

function fileFault(fault: string, message: string, fields: Record<string, string> = {}): Problem {
  return new Problem("BULK_FILE_FAULT", message, { fault, ...fields });
}
