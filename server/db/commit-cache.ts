import type { CommitWatch } from "./reference-watch.ts";

/**
 * Caches values until a transaction other than a sale is committed, by any process: the next
 * request sees a write of another process as if nothing were cached.
 */
export class CommitCache<Value extends object | string> {
  readonly #watch: CommitWatch;
  readonly #limit: number;
  readonly #values = new Map<string, Value>();
  #stamp = Number.NaN;

  /** Holds at most `limit` values. */
  constructor(watch: CommitWatch, limit: number) {
    this.#watch = watch;
    this.#limit = limit;
  }

  /**
   * Returns the value of a key if it is cached. @param stamp the watch's, taken by this request already
   */
  recall(key: string, stamp: number): Value | undefined {
    return stamp === this.#stamp ? this.#values.get(key) : undefined;
  }

  /**
   * Returns the value of a key, read now unless it is cached. A missing value is not cached.
   * @param stamp the watch's, taken by this request already: later commits may be missed
   */
  async get(
    key: string,
    read: () => Promise<Value | undefined>,
    // Taken before the read: a commit in between makes the value newer than its stamp, never older.
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
