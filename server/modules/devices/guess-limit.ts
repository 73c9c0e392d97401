import { Problem } from "../../contract/problem.ts";
import { type Clock, MINUTE } from "../../lib/clock.ts";

const OF_ONE_SOURCE = 10;
const OF_ALL = 200;

/** Guesses of a minute, each counted before it is looked at; in memory only. */
export class GuessLimit {
  readonly #clock: Clock;
  readonly #guesses = new Map<string, number>();
  #since = 0;
  #all = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws Problem RATE_LIMITED, for the right one too */
  count(source: string): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#since) >= MINUTE) {
      this.#since = now;
      this.#all = 0;
      this.#guesses.clear();
    }
    const ofSource = this.#guesses.get(source) ?? 0;
    if (ofSource >= OF_ONE_SOURCE || this.#all >= OF_ALL) {
      throw new Problem("RATE_LIMITED", "Too many wrong codes. Try again in a minute.");
    }
    this.#guesses.set(source, ofSource + 1);
    this.#all += 1;
  }
}
