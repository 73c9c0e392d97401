import { hash } from "node:crypto";

/** As many are prepared by a connection at most: each costs the server some memory for as long as it is open. */
const MOST_NAMES = 400;

/** Every column of a table, of which a version to come may have more: what was prepared fails then. */
const EVERY_COLUMN = /(?:\bselect|\breturning|[,.])\s*\*/i;

/** A list of as many values or more has another length the next time. */
const MANY_VALUES = 64;
/** As many texts are remembered that were asked once. */
const MOST_SEEN = 2_000;

/**
 * Names of statements that are asked again and again: the server reads the text of one that has a name once on each
 * connection, and plans it anew only as long as that pays.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();

  /**
   * How a statement is to be prepared, from the second time on that it is asked: not at all where it has no values, as then
   * there may be several in one text, and where it asks for every column.
   */
  for(statement: string, values: readonly unknown[]): { name?: string } {
    const known = this.#names.get(statement);
    if (known !== undefined) return { name: known };
    const isFull = this.#names.size === MOST_NAMES;
    const isList = values.length === 0 || values.length >= MANY_VALUES;
    if (isFull || isList || !this.#wasSeen(statement) || EVERY_COLUMN.test(statement)) return {};
    // The same text has the same name everywhere: a pooler that mixes up sessions can run no other statement by it.
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
