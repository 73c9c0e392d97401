import { MINUTE } from "./clock.ts";

/** Maximum attempts per minute, of one source and in total. */
interface Limits {
  ofOne: number;
  ofAll: number;
}

/** Storage of the counters, shared by all processes. */
interface Counts {
  count(topic: string, names: readonly string[], by: number, lasts_ms: number): Promise<number[]>;
}

/** Key of the total count; no source has this name. */
const ALL = "*";

/** Counts attempts by source, per minute. */
export class GuessCounter {
  readonly #counts: Counts;
  readonly #topic: string;
  readonly #limits: Limits;

  /** @param topic names the counted attempts, in one word */
  constructor(counts: Counts, topic: string, limits: Limits) {
    this.#counts = counts;
    this.#topic = topic;
    this.#limits = limits;
  }

  /**
   * Counts an attempt before it is evaluated, so that simultaneous attempts cannot exceed the limit.
   * @returns whether the attempt is within the limits
   */
  async take(source: string): Promise<boolean> {
    // An attempt beyond its source's limit does not use up the total.
    const ofOne = await this.#count(source, 1);
    if (ofOne > this.#limits.ofOne) return false;
    return (await this.#count(ALL, 1)) <= this.#limits.ofAll;
  }

  /** Uncounts an attempt that was no guess. */
  async takeBack(source: string): Promise<void> {
    await this.#counts.count(this.#topic, [ALL, source], -1, MINUTE);
  }

  async #count(name: string, by: number): Promise<number> {
    const [count = 0] = await this.#counts.count(this.#topic, [name], by, MINUTE);
    return count;
  }
}
