import { sql } from "kysely";
import type { Db, Tx } from "./database.ts";
import { snapshotState } from "./engine-words.ts";

/** Maximum number of cached totals. */
const MAX_TOTALS = 200;

/** Totals of lists, each cached until anything is committed, by any process. */
export class ListTotals {
  readonly #totals = new Map<string, number>();
  #state: string | undefined;

  /**
   * Returns the total of a key, which is counted unless it is cached.
   * @param snapshot the one that `count` reads
   */
  async get(snapshot: Db | Tx, key: string, count: () => Promise<number>): Promise<number> {
    const { rows } = await sql<{ state: string }>`select ${snapshotState} as state`.execute(
      snapshot,
    );
    const state = rows[0]?.state;
    if (state !== this.#state) {
      this.#totals.clear();
      this.#state = state;
    }
    const known = this.#totals.get(key);
    if (known !== undefined) return known;
    const total = await count();
    const isCurrent = this.#state === state && this.#totals.size < MAX_TOTALS;
    if (isCurrent) this.#totals.set(key, total);
    return total;
  }
}
