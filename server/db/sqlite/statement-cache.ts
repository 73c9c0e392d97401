import type SQLite from "better-sqlite3";

/** How many statements a connection keeps prepared; those not used for longest make room. */
const STATEMENTS_KEPT = 1_000;

/** A statement, and the table that it writes to; undefined for one that only reads. */
interface Prepared {
  statement: SQLite.Statement;
  writesTo: string | undefined;
}

const TARGET =
  /\b(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from) +"?(\w+)/i;
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
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#database.prepare(sql);
    const isWriting = !statement.readonly && !CONTROLS.test(sql);
    const writesTo = isWriting ? (TARGET.exec(sql)?.[1] ?? "?") : undefined;
    const prepared = { statement, writesTo };
    this.#statements.set(sql, prepared);
    if (this.#statements.size > STATEMENTS_KEPT) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return prepared;
  }

  /** A changed schema gives `select *` other columns. */
  clear(): void {
    this.#statements.clear();
  }
}
