import { hash } from "node:crypto";

/**
 * Maximum number of prepared statements per connection. Each uses memory of the server
 * while the connection is open.
 */
const MOST_NAMES = 400;

/**
 * Matches statements that select every column of a table. If a later version adds a column, such a
 * prepared statement fails.
 */
const EVERY_COLUMN = /(?:\bselect|\breturning|[,.])\s*\*/i;

/**
 * A list with this many values usually has another length at the next run, so its statement gets no
 * name.
 */
const MANY_VALUES = 64;
/** Maximum number of remembered statements that ran once. */
const MOST_SEEN = 2_000;

/**
 * Gives names to repeated statements. The server parses a named statement once per connection, and
 * plans it again only while that is faster.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();

  /**
   * Returns the name of a statement from its second run on. Two kinds of statements get no name:
   * those that select every column, and texts without values, which may contain several statements.
   */
  for(statement: string, values: readonly unknown[]): { name?: string } {
    const known = this.#names.get(statement);
    if (known !== undefined) return { name: known };
    const isFull = this.#names.size === MOST_NAMES;
    const isList = values.length === 0 || values.length >= MANY_VALUES;
    if (isFull || isList || !this.#wasSeen(statement) || EVERY_COLUMN.test(statement)) return {};
    // The name depends only on the text: even if a pooler mixes up sessions, the name
    // cannot run another statement.
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
