import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A row of a table. `at` is the row's `file:line` for error messages. */
export interface Row<Column extends string> {
  readonly at: string;
  readonly cells: Readonly<Record<Column, string>>;
}

export class TableError extends Error {
  constructor(at: string, message: string) {
    super(`${at}: ${message}`);
    this.name = "TableError";
  }
}

/**
 * Reads a table of the project: a header with exactly `columns`, and one row per line. A cell with
 * a comma is in quotes. Refuses quotes and line breaks inside cells.
 */
export function readTable<const Column extends string>(
  path: string,
  columns: readonly Column[],
): Row<Column>[] {
  return parseTable(basename(path), readFileSync(path, "utf8"), columns);
}

export function parseTable<const Column extends string>(
  file: string,
  text: string,
  columns: readonly Column[],
): Row<Column>[] {
  if (!text.endsWith("\n")) throw new TableError(file, "the last line must end with a line feed");
  const [header = "", ...lines] = text.slice(0, -1).split("\n");
  if (header !== columns.join(",")) {
    throw new TableError(`${file}:1`, `expected the header "${columns.join(",")}"`);
  }
  return lines.map((line, index) => {
    const at = `${file}:${index + 2}`;
    const values = splitLine(line, at);
    if (values.length !== columns.length) {
      throw new TableError(at, `expected ${columns.length} cells, found ${values.length}`);
    }
    const cells = Object.fromEntries(columns.map((column, i) => [column, values[i]]));
    return { at, cells: cells as Record<Column, string> };
  });
}

export function keyed<Column extends string, Value>(
  rows: readonly Row<Column>[],
  read: (row: Row<Column>) => [string, Value],
): Map<string, Value> {
  const map = new Map<string, Value>();
  for (const row of rows) {
    const [key, value] = read(row);
    if (map.has(key)) throw new TableError(row.at, `${key} is there twice`);
    map.set(key, value);
  }
  return map;
}

function splitLine(line: string, at: string): string[] {
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const match = /^(?:"([^"]*)"|([^",]*))(,|$)/.exec(rest);
    if (match === null) throw new TableError(at, "a quote is out of place");
    const cell = match[1] ?? match[2] ?? "";
    if (cell !== cell.trim()) throw new TableError(at, `"${cell}" has space around it`);
    cells.push(cell);
    if (match[3] === "") return cells;
    rest = rest.slice(match[0].length);
  }
}
