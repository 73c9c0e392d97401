import type { Clock } from "../../../lib/clock.ts";
import { QUESTION_INTERVAL_MS } from "./retry-policy.ts";

/**
 * How long outcomes have been asked about, in time that this process ran: neither the time it was off
 * nor a clock that was moved counts. After a stop this begins at zero; what was counted before is in
 * the database.
 */
export class TimeAsked {
  readonly #clock: Clock;
  /** When each subject was last asked about or sent, in running time. */
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins anew for a subject: what is asked about from now on was sent just now. */
  begin(subject: string): void {
    this.#lastAt.set(subject, this.#clock.running());
  }

  /** Whether this process has run for a whole interval since it sent or asked last. */
  isIntervalOver(subject: string): boolean {
    const last = this.#lastAt.get(subject);
    return last !== undefined && this.#clock.running() - last >= QUESTION_INTERVAL_MS;
  }

  /** Milliseconds since the subject was sent or counted last, a whole interval at most. */
  since(subject: string): number {
    const now = this.#clock.running();
    const last = this.#lastAt.get(subject) ?? now;
    return Math.min(Math.round(now - last), QUESTION_INTERVAL_MS);
  }

  /** The same; counts from now. */
  count(subject: string): number {
    const counted = this.since(subject);
    this.begin(subject);
    return counted;
  }

  /** It has ended. */
  forget(subject: string): void {
    this.#lastAt.delete(subject);
  }
}
