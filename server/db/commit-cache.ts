import type { CommitWatch } from "./reference-watch.ts";

/**
 * Remembers what was read until anything but a sale is committed, by any process: what another
 * process writes is seen by the next request, as if nothing were remembered.
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

  /** The value of a key where it is remembered. @param stamp the watch's, taken by this request already */
  recall(key: string, stamp: number): Value | undefined {
    return stamp === this.#stamp ? this.#values.get(key) : undefined;
  }

  /**
   * The value of a key, read now unless it is remembered. A missing value is not remembered.
   * @param stamp the watch's, taken by this request already: later commits may be missed
   */
  async get(
    key: string,
    read: () => Promise<Value | undefined>,
    // Taken before the reading: a commit in between makes the value newer than its stamp, never older.
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
