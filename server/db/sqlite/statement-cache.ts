import type SQLite from "better-sqlite3";
import { findWrittenTable } from "../written-table.ts";

/** How many statements a connection keeps prepared; those not used for long make room. */
const STATEMENTS_KEPT = 1_000;

interface Prepared {
  readonly statement: SQLite.Statement;
  /** Whether it returns rows. */
  readonly isReader: boolean;
  /** The table that it writes to; undefined for one that only reads. */
  readonly writesTo: string | undefined;
  readonly changesSchema: boolean;
  /** Used since room was last looked for. */
  isUsed: boolean;
}

const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;
const CONTROLS = /^\s*(begin|commit|rollback|savepoint|release|pragma|vacuum)\b/i;

/** Statements prepared once and used again: preparing one takes longer than most take to run. */
export class StatementCache {
  readonly #database: SQLite.Database;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: SQLite.Database) {
    this.#database = database;
  }

  get(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) {
      known.isUsed = true;
      return known;
    }
    const statement = this.#database.prepare(sql);
    const isWriting = !statement.readonly && !CONTROLS.test(sql);
    const writesTo = isWriting ? (findWrittenTable(sql) ?? "?") : undefined;
    const changesSchema = CHANGES_SCHEMA.test(sql);
    const isReader = statement.reader;
    const prepared = { statement, isReader, writesTo, changesSchema, isUsed: true };
    if (this.#statements.size >= STATEMENTS_KEPT) this.#makeRoom();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** The oldest that was not used since it was last passed over goes; those passed over begin anew. */
  #makeRoom(): void {
    for (const [sql, prepared] of this.#statements) {
      this.#statements.delete(sql);
      if (!prepared.isUsed) return;
      prepared.isUsed = false;
      this.#statements.set(sql, prepared);
    }
  }

  /** A changed schema gives `select *` other columns. */
  clear(): void {
    this.#statements.clear();
  }
}
