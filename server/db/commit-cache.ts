import type { CommitWatch } from "./reference-watch.ts";

/** Caches values until any process commits a transaction other than a sale. */
export class CommitCache<Value extends object | string> {
  readonly #watch: CommitWatch;
  readonly #limit: number;
  readonly #values = new Map<string, Value>();
  #stamp = Number.NaN;

  constructor(watch: CommitWatch, limit: number) {
    this.#watch = watch;
    this.#limit = limit;
  }

  /**
   * Returns the cached value of a key; undefined if there is none.
   * @param stamp the watch's stamp at the start of the request
   */
  recall(key: string, stamp: number): Value | undefined {
    return stamp === this.#stamp ? this.#values.get(key) : undefined;
  }

  /**
   * Returns the value of a key, and reads it unless it is cached. A missing value is not cached.
   * @param stamp the watch's stamp at the start of the request; later commits may be missed
   */
  async get(
    key: string,
    read: () => Promise<Value | undefined>,
    // Taken before the read: after a commit in between, the value is newer
    // than its stamp, never older.
    stamp = this.#watch.stamp(),
  ): Promise<Value | undefined> {
    if (stamp !== this.#stamp) {
      this.#values.clear();
      this.#stamp = stamp;
    }
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = await read();
    const isCurrent = this.#stamp === stamp && this.#values.size < this.#limit;
    if (value !== undefined && isCurrent) this.#values.set(key, value);
    return value;
  }
}
