import { MINUTE } from "./clock.ts";

/** Maximum number of attempts per minute: of one source, and of all sources. */
interface Limits {
  ofOne: number;
  ofAll: number;
}

/** Storage of the counters, shared by all processes. */
interface Counts {
  count(topic: string, names: readonly string[], by: number, lasts_ms: number): Promise<number[]>;
}

const ALL = "*";

export class GuessCounter {
  readonly #counts: Counts;
  readonly #topic: string;
  readonly #limits: Limits;

  constructor(counts: Counts, topic: string, limits: Limits) {
    this.#counts = counts;
    this.#topic = topic;
    this.#limits = limits;
  }

  /**
   * Counts an attempt before it is evaluated, so that simultaneous attempts
   * cannot exceed the limit.
   * @returns whether the attempt is within the limits
   */
  async take(source: string): Promise<boolean> {
    // An attempt beyond the limit of its source does not count towards the total.
    const ofOne = await this.#count(source, 1);
    if (ofOne > this.#limits.ofOne) return false;
    return (await this.#count(ALL, 1)) <= this.#limits.ofAll;
  }

  async takeBack(source: string): Promise<void> {
    await this.#counts.count(this.#topic, [ALL, source], -1, MINUTE);
  }

  async #count(name: string, by: number): Promise<number> {
    const [count = 0] = await this.#counts.count(this.#topic, [name], by, MINUTE);
    return count;
  }
}
