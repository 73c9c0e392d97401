import { MINUTE } from "./clock.ts";

/** How many a minute takes, of one source and of all together. */
interface Limits {
  ofOne: number;
  ofAll: number;
}

/** Where counts are kept, for all processes that the sources may come to. */
interface Counts {
  count(topic: string, names: readonly string[], by: number, lasts_ms: number): Promise<number[]>;
}

/** Under which all together are counted: no source is called so. */
const ALL = "*";

/** Counts what comes from where, a minute at a time. */
export class GuessCounter {
  readonly #counts: Counts;
  readonly #topic: string;
  readonly #limits: Limits;

  /** @param topic what is counted, in one word */
  constructor(counts: Counts, topic: string, limits: Limits) {
    this.#counts = counts;
    this.#topic = topic;
    this.#limits = limits;
  }

  /**
   * Counts one of a source, before what it brings is looked at: of those sent at once no more are let in.
   * @returns whether it may come in this minute
   */
  async take(source: string): Promise<boolean> {
    // One source that comes too often takes nothing from the others.
    const ofOne = await this.#count(source, 1);
    if (ofOne > this.#limits.ofOne) return false;
    return (await this.#count(ALL, 1)) <= this.#limits.ofAll;
  }

  /** It was no guess. */
  async takeBack(source: string): Promise<void> {
    await this.#counts.count(this.#topic, [ALL, source], -1, MINUTE);
  }

  async #count(name: string, by: number): Promise<number> {
    const [count = 0] = await this.#counts.count(this.#topic, [name], by, MINUTE);
    return count;
  }
}
