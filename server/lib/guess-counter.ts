import { type Clock, MINUTE } from "./clock.ts";

/** How many a minute takes, of one source and of all together. */
interface Limits {
  ofOne: number;
  ofAll: number;
}

/** Counts what comes from where, a minute at a time. */
export class GuessCounter {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #counts = new Map<string, number>();
  #since = 0;
  #all = 0;

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Whether a source may still come in this minute. */
  mayCome(source: string): boolean {
    const now = this.#clock.now();
    if (Math.abs(now - this.#since) >= MINUTE) {
      this.#since = now;
      this.#all = 0;
      this.#counts.clear();
    }
    return (this.#counts.get(source) ?? 0) < this.#limits.ofOne && this.#all < this.#limits.ofAll;
  }

  count(source: string): void {
    this.#counts.set(source, (this.#counts.get(source) ?? 0) + 1);
    this.#all += 1;
  }
}
