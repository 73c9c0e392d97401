import { sql } from "kysely";
import type { Db, Tx } from "./database.ts";
import { snapshotState } from "./engine-words.ts";

const MAX_TOTALS = 200;

/** Totals of lists. Each is cached until any process commits. */
export class ListTotals {
  readonly #totals = new Map<string, number>();
  #state: string | undefined;

  /**
   * Returns the total of a key, and counts it unless it is cached.
   * @param snapshot the snapshot that `count` reads
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
