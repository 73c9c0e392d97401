import { CompiledQuery, sql } from "kysely";
import { inserted } from "../engine-words.ts";
import type { Db, Tx } from "../handles.ts";
import { ExportFault, LineSum, rowLine, valuesOf } from "./export-format.ts";
import { FILES_TABLE, type FileTally, readFileRows } from "./file-rows.ts";
import { ORDERED_AS_INSERTED, type TableFacts, type TableTools } from "./table-facts.ts";

const ROWS_AT_ONCE = 256;
const CHARACTERS_AT_ONCE = 4_000_000;
/** Maximum number of values per statement, below SQLite's limit of 32,766. */
const VALUES_AT_ONCE = 30_000;

export interface RowSource {
  db: Db | Tx;
  tools: TableTools;
  /** Folder of report files; undefined if the database stores the files as rows. */
  files?: string | undefined;
  tally?: FileTally;
}

/**
 * Yields the rows of a table as lines, in an order that is the same for both engines. Holds
 * only a few rows in memory.
 */
export async function* readRowLines(
  { db, tools, files, tally }: RowSource,
  table: TableFacts,
): AsyncGenerator<string> {
  if (table.name === FILES_TABLE) {
    for await (const row of readFileRows(db, files, tally)) yield rowLine(table, { ...row });
    return;
  }
  const columns = table.columns.map(({ name }) => sql.ref(name));
  const texts = new Set(
    table.columns.filter(({ kind }) => kind === "text").map(({ name }) => name),
  );
  const order = ORDERED_AS_INSERTED.has(table.name)
    ? [inserted]
    : table.key.map(
        (name) => sql`${sql.ref(name)}${sql.raw(texts.has(name) ? tools.byBytes : "")}`,
      );
  const query = sql<Record<string, unknown>>`select ${sql.join(columns)}
    from ${sql.table(table.name)} order by ${sql.join(order)}`.compile(db);
  for await (const { rows } of db.getExecutor().stream(query, ROWS_AT_ONCE)) {
    for (const row of rows) yield rowLine(table, row);
  }
}

export async function sumRows(source: RowSource, table: TableFacts): Promise<LineSum> {
  const sum = new LineSum();
  for await (const line of readRowLines(source, table)) sum.add(line);
  return sum;
}

export class RowWriter {
  readonly #tx: Tx;
  readonly #table: TableFacts;
  readonly #tools: TableTools;
  readonly #most: number;
  #values: unknown[] = [];
  #rows = 0;
  #characters = 0;

  constructor(tx: Tx, table: TableFacts, tools: TableTools) {
    this.#tx = tx;
    this.#table = table;
    this.#tools = tools;
    this.#most = Math.min(ROWS_AT_ONCE, Math.floor(VALUES_AT_ONCE / table.columns.length));
  }

  /** @param characters length of the row's line */
  async write(row: readonly unknown[], characters: number): Promise<void> {
    this.#values.push(...valuesOf(this.#table, row));
    this.#rows += 1;
    this.#characters += characters;
    if (this.#rows >= this.#most || this.#characters > CHARACTERS_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows === 0) return;
    const { name, columns } = this.#table;
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const rows = Array.from({ length: this.#rows }, (_, row) => {
      const places = columns.map((_column, index) =>
        this.#tools.placeholder(row * columns.length + index + 1),
      );
      return `(${places.join(", ")})`;
    });
    const statement = `insert into "${name}" (${names}) values ${rows.join(", ")}`;
    try {
      await this.#tx.executeQuery(CompiledQuery.raw(statement, this.#values));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ExportFault(`the rows of ${name} cannot be written: ${reason}`, { cause: error });
    }
    this.#values = [];
    this.#rows = 0;
    this.#characters = 0;
  }
}
