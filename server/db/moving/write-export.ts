import type { FileHandle } from "node:fs/promises";
import { FORMAT, LineSum, lineOf, type WholeEnd } from "./export-format.ts";
import { readTableFacts } from "./table-facts.ts";
import { type RowSource, readRowLines } from "./table-rows.ts";

const CHARACTERS_AT_ONCE = 256 * 1024;

class LineFile {
  readonly sum = new LineSum();
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #characters = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(line: string): Promise<void> {
    this.sum.add(line);
    this.#waiting.push(line);
    this.#characters += line.length;
    if (this.#characters >= CHARACTERS_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    await this.#file.writeFile(this.#waiting.join(""));
    this.#waiting = [];
    this.#characters = 0;
  }
}

/**
 * Writes all rows of a database to an open file.
 * @param source a snapshot, so that all rows are of the same moment
 * @param record called before the first byte is written
 * @throws ExportFault for a value that an import would change
 */
export async function writeExport(
  source: RowSource,
  file: FileHandle,
  of: { program: string; migrations: readonly string[] },
  record: () => Promise<void>,
): Promise<WholeEnd> {
  const lines = new LineFile(file);
  const { db, tools } = source;
  const tables = await readTableFacts(db, tools);
  const lasts = new Map<string, number>();
  for (const { name, numbered } of tables) {
    // PostgreSQL's sequences are not part of the snapshot, so their numbers are read first.
    if (numbered) lasts.set(name, await tools.readLast(db, name, numbered));
  }
  await record();
  await lines.add(lineOf({ format: FORMAT, ...of }));
  let total = 0;
  for (const table of tables) {
    const last = lasts.get(table.name);
    const columns = table.columns.map(({ name }) => name);
    await lines.add(lineOf({ table: table.name, columns, ...(last !== undefined && { last }) }));
    const sum = new LineSum();
    for await (const line of readRowLines(source, table)) {
      sum.add(line);
      await lines.add(line);
    }
    await lines.add(lineOf({ end: table.name, rows: sum.rows, sha256: sum.digest() }));
    total += sum.rows;
  }
  const whole = { tables: tables.length, rows: total, sha256: lines.sum.digest() };
  await lines.add(lineOf(whole));
  await lines.flush();
  return whole;
}
