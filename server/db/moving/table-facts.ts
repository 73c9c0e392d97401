import type { Db, Tx } from "../handles.ts";

export type ValueKind = "integer" | "real" | "text" | "blob";

/** A table in an export, in the same form for every engine. */
export interface TableFacts {
  name: string;
  /** Columns, sorted by name, except the engine's own columns: row checksum and insertion order. */
  columns: { name: string; kind: ValueKind }[];
  /** Columns of the primary key, in order. */
  key: string[];
  /** Column of the key that the engine numbers automatically. */
  numbered: string | undefined;
  references: string[];
}

/** A table as the engine describes it, with the engine's names of types. */
export interface FoundTable extends Omit<TableFacts, "columns"> {
  columns: { name: string; type: string }[];
}

export interface TableTools {
  findTables(db: Db | Tx): Promise<FoundTable[]>;
  /** SQL after a column in `order by`, which sorts texts by their bytes. */
  readonly byBytes: string;
  /** Returns the last number that the engine used in a table; 0 if none. */
  readLast(db: Db | Tx, table: string, column: string): Promise<number>;
  /** Makes the engine continue the numbering after `last`. */
  writeLast(tx: Tx, table: string, column: string, last: number): Promise<void>;
  /** Runs work while the triggers of these tables are disabled. */
  withoutTriggers<Value>(
    tx: Tx,
    tables: readonly string[],
    work: () => Promise<Value>,
  ): Promise<Value>;
  /** Updates the engine's own data about the rows, after the last row. */
  complete(tx: Tx): Promise<void>;
  /** @param index number of the value in the statement, from 1 */
  placeholder(index: number): string;
}

/**
 * Tables that are not exported: they compare the database with files beside it (such as the key
 * file), expire within minutes, or describe this database.
 */
const STAYS = new Set([
  "api_requests",
  "commit_count",
  "shared_memory",
  "key_files",
  "exports_begun",
  "commit_marks",
  "database_identity",
]);

/** Tables that are exported in insertion order, which no exported column contains. */
export const ORDERED_AS_INSERTED: ReadonlySet<string> = new Set(["purchases", "recharges"]);

const OF_THE_ENGINE = new Set(["checksum", "inserted"]);

const KINDS: Record<string, ValueKind> = {
  integer: "integer",
  bigint: "integer",
  real: "real",
  "double precision": "real",
  text: "text",
  blob: "blob",
  bytea: "blob",
};

/** Returns all exported tables. Each follows the tables to which its rows refer. */
export async function readTableFacts(db: Db | Tx, tools: TableTools): Promise<TableFacts[]> {
  const found = (await tools.findTables(db))
    .filter(({ name }) => !STAYS.has(name) && !name.startsWith("kysely_"))
    .map((table) => ({
      ...table,
      columns: table.columns
        .filter(({ name }) => !OF_THE_ENGINE.has(name))
        .map(({ name, type }) => ({ name, kind: kindOf(table.name, name, type) }))
        .toSorted(byName),
    }));
  return inOrder(found.toSorted(byName));
}

function kindOf(table: string, column: string, type: string): ValueKind {
  const kind = KINDS[type.toLowerCase()];
  if (!kind) throw new Error(`nobody has said how to move ${table}.${column}, a ${type}`);
  return kind;
}

function byName({ name }: { name: string }, other: { name: string }): number {
  return name < other.name ? -1 : 1;
}

function inOrder(tables: readonly TableFacts[]): TableFacts[] {
  const ordered: TableFacts[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const free = [...left.values()].filter(({ references }) =>
      references.every((name) => !left.has(name)),
    );
    if (free.length === 0) {
      throw new Error(`tables refer to each other: ${[...left.keys()].join()}`);
    }
    for (const table of free) left.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}
