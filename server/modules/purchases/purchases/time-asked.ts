import type { Clock } from "../../../lib/clock.ts";
import { QUESTION_INTERVAL_MS } from "./retry-policy.ts";

/**
 * Counts how long outcomes have been queried, in running time of this process: neither downtime nor a
 * changed clock counts. After a restart this count is zero; earlier counts are in the database.
 */
export class TimeAsked {
  readonly #clock: Clock;
  /** When each subject was last sent or queried, in running time. */
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts counting for a subject, as if it was sent just now. */
  begin(subject: string): void {
    this.#lastAt.set(subject, this.#clock.running());
  }

  /**
   * Returns whether this process has run for a whole interval since the last submission or inquiry.
   */
  isIntervalOver(subject: string): boolean {
    const last = this.#lastAt.get(subject);
    return last !== undefined && this.#clock.running() - last >= QUESTION_INTERVAL_MS;
  }

  /**
   * Returns the milliseconds since the subject was last sent or counted, a whole interval at most.
   */
  since(subject: string): number {
    const now = this.#clock.running();
    const last = this.#lastAt.get(subject) ?? now;
    return Math.min(Math.round(now - last), QUESTION_INTERVAL_MS);
  }

  /** Returns the same, and counts from now. */
  count(subject: string): number {
    const counted = this.since(subject);
    this.begin(subject);
    return counted;
  }

  /** Removes a subject that has ended. */
  forget(subject: string): void {
    this.#lastAt.delete(subject);
  }
}
