import { type Clock, HOUR, MINUTE } from "../../../lib/clock.ts";

/** The interval of queries for an outcome that is unknown. */
export const QUESTION_INTERVAL_MS = 15 * MINUTE;
/** An unknown outcome is given up after it was asked about for this long (rules#purchase-clock-decides-nothing). */
export const LONGEST_UNKNOWN_MS = 24 * HOUR;

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

  /** Milliseconds since the subject was last counted, a whole interval at most; counts from now. */
  count(subject: string): number {
    const now = this.#clock.running();
    const last = this.#lastAt.get(subject) ?? now;
    this.#lastAt.set(subject, now);
    return Math.min(Math.round(now - last), QUESTION_INTERVAL_MS);
  }

  /** It has ended. */
  forget(subject: string): void {
    this.#lastAt.delete(subject);
  }
}
