import type { Clock } from "../../../lib/clock.ts";
import { QUESTION_INTERVAL_MS } from "./retry-policy.ts";

/**
 * Measures how long an outcome has been queried, in running time of this process: downtime and
 * changes of the clock do not count. Times before a restart are in the database.
 */
export class TimeAsked {
  readonly #clock: Clock;
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(subject: string): void {
    this.#lastAt.set(subject, this.#clock.running());
  }

  isIntervalOver(subject: string): boolean {
    const last = this.#lastAt.get(subject);
    return last !== undefined && this.#clock.running() - last >= QUESTION_INTERVAL_MS;
  }

  /** @returns milliseconds, at most a whole interval */
  since(subject: string): number {
    const now = this.#clock.running();
    const last = this.#lastAt.get(subject) ?? now;
    return Math.min(Math.round(now - last), QUESTION_INTERVAL_MS);
  }

  count(subject: string): number {
    const counted = this.since(subject);
    this.begin(subject);
    return counted;
  }

  forget(subject: string): void {
    this.#lastAt.delete(subject);
  }
}
