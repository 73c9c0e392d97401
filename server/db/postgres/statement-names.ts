import { hash } from "node:crypto";

/**
 * Maximum number of prepared statements of a connection: each uses memory of the server while the connection is
 * open.
 */
const MOST_NAMES = 400;

/**
 * Selects every column of a table. A later version may add columns, and the prepared statement fails
 * then.
 */
const EVERY_COLUMN = /(?:\bselect|\breturning|[,.])\s*\*/i;

/** A list of this many values usually has another length the next time. */
const MANY_VALUES = 64;
/** Maximum number of stored texts that ran once. */
const MOST_SEEN = 2_000;

/**
 * Names of repeated statements: the server parses a named statement once on each connection, and plans it again
 * only while that is faster.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();

  /**
   * Returns the name of a statement from its second run on; none for a statement without values, whose text may
   * contain several statements, or with every column.
   */
  for(statement: string, values: readonly unknown[]): { name?: string } {
    const known = this.#names.get(statement);
    if (known !== undefined) return { name: known };
    const isFull = this.#names.size === MOST_NAMES;
    const isList = values.length === 0 || values.length >= MANY_VALUES;
    if (isFull || isList || !this.#wasSeen(statement) || EVERY_COLUMN.test(statement)) return {};
    // The same text has the same name everywhere: a pooler that mixes up sessions cannot run another statement by
    // it.
    const name = `tillgate_${hash("sha256", statement).slice(0, 32)}`;
    this.#names.set(statement, name);
    this.#seen.delete(statement);
    return { name };
  }

  #wasSeen(statement: string): boolean {
    if (this.#seen.has(statement)) return true;
    if (this.#seen.size === MOST_SEEN) this.#seen.clear();
    this.#seen.add(statement);
    return false;
  }
}
