import type { Db, Tx } from "../handles.ts";

/** Kind of a column's values. */
export type ValueKind = "integer" | "real" | "text" | "blob";

/** A table in an export: the same for each engine. */
export interface TableFacts {
  name: string;
  /** By name. Columns of the engine are left out: checksums of rows, and the order of insertion. */
  columns: { name: string; kind: ValueKind }[];
  /** The columns of its primary key, in order. */
  key: string[];
  /** The column of the key that the engine numbers automatically. */
  numbered: string | undefined;
  /** The tables that its rows refer to. */
  references: string[];
}

/** An engine's description of a table: its columns with the engine's type names. */
export interface FoundTable extends Omit<TableFacts, "columns"> {
  columns: { name: string; type: string }[];
}

/** Operations on whole tables that differ between the engines. */
export interface TableTools {
  findTables(db: Db | Tx): Promise<FoundTable[]>;
  /** Sorts texts by their bytes, after a column in an `order by`. */
  readonly byBytes: string;
  /** Returns the last number that the engine used in a table; 0 for none yet. */
  readLast(db: Db | Tx, table: string, column: string): Promise<number>;
  /** Makes the engine continue after this number. */
  writeLast(tx: Tx, table: string, column: string, last: number): Promise<void>;
  /** Runs the work without the triggers of its tables. */
  withoutTriggers<Value>(
    tx: Tx,
    tables: readonly string[],
    work: () => Promise<Value>,
  ): Promise<Value>;
  /** Updates the engine's own data about all rows, after the last one. */
  complete(tx: Tx): Promise<void>;
  /** Returns the reference to a value in a statement, by its number from 1. */
  placeholder(index: number): string;
}

/**
 * Tables that do not move: they compare a database with files beside it, expire within minutes, or describe this
 * database. The key file beside the shop is determined at the destination.
 */
const STAYS = new Set([
  "commit_count",
  "write_probes",
  "shared_memory",
  "key_files",
  "exports_begun",
  "commit_marks",
  "database_identity",
]);

/** Tables that are read in the order of insertion, which their rows do not contain. */
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

/** Reads all tables that move, each after those that its rows refer to. */
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
