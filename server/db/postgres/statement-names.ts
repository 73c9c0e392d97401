import { hash } from "node:crypto";

/** As many are prepared by a connection at most: each costs the server some memory for as long as it is open. */
const MOST_NAMES = 400;

/** Every column of a table, of which a version to come may have more: what was prepared fails then. */
const EVERY_COLUMN = /(?:\bselect|\breturning|[,.])\s*\*/i;

/**
 * Names of statements that are asked again and again. The server reads and plans a statement that has a name once on
 * each connection, and not at each question.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /**
   * How a statement is to be prepared: not at all where it has no values, as then there may be several in one text,
   * and where it asks for every column.
   */
  for(statement: string, values: readonly unknown[]): { name?: string } {
    const known = this.#names.get(statement);
    if (known !== undefined) return { name: known };
    const isFull = this.#names.size === MOST_NAMES;
    if (values.length === 0 || isFull || EVERY_COLUMN.test(statement)) return {};
    // The same text has the same name everywhere: a pooler that mixes up sessions can run no other statement by it.
    const name = `tillgate_${hash("sha256", statement).slice(0, 32)}`;
    this.#names.set(statement, name);
    return { name };
  }
}
