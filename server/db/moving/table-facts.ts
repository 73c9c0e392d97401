import type { Db, Tx } from "../handles.ts";

/** What a value of a column is. */
export type ValueKind = "integer" | "real" | "text" | "blob";

/** A table as an export has it: the same whatever the engine. */
export interface TableFacts {
  name: string;
  /** By name. The engine's own are left out: checksums of rows, and the order in which they were inserted. */
  columns: { name: string; kind: ValueKind }[];
  /** The columns of its primary key, in order. */
  key: string[];
  /** The column of the key that the engine numbers by itself. */
  numbered: string | undefined;
  /** The tables that its rows refer to. */
  references: string[];
}

/** What one engine says of a table: its columns with the engine's word for what their values are. */
export interface FoundTable extends Omit<TableFacts, "columns"> {
  columns: { name: string; type: string }[];
}

/** What an engine does differently with whole tables. */
export interface TableTools {
  findTables(db: Db | Tx): Promise<FoundTable[]>;
  /** What the order of texts is by, behind a column: their bytes. */
  readonly byBytes: string;
  /** The last number that the engine gave in a table; 0 for none yet. */
  readLast(db: Db | Tx, table: string, column: string): Promise<number>;
  /** It goes on behind this one. */
  writeLast(tx: Tx, table: string, column: string, last: number): Promise<void>;
  /** No trigger acts on what is written meanwhile. */
  withoutTriggers<Value>(
    tx: Tx,
    tables: readonly string[],
    work: () => Promise<Value>,
  ): Promise<Value>;
  /** Afterwards: what the engine keeps of its own about all rows. */
  complete(tx: Tx): Promise<void>;
  /** How a value is referred to in a statement, by its number from 1. */
  placeholder(index: number): string;
}

/**
 * They compare a database with files beside it, which do not move; are over in minutes; or are about this database. Which
 * key file is beside the shop is found out where it moves to.
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

/** Their rows are read in the order in which they were inserted, which is told from the rows alone nowhere. */
export const ORDERED_AS_INSERTED: ReadonlySet<string> = new Set(["purchases", "recharge_payments"]);

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

/** All tables that move, each behind those that its rows refer to. */
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
