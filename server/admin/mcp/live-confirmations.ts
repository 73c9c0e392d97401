import { randomUUID } from "node:crypto";
import { type Clock, MINUTE } from "../../lib/clock.ts";

const VALID_MS = 10 * MINUTE;

interface Waiting<T> {
  readonly purchase: T;
  readonly until: number;
}

/**
 * Live purchases that wait for their second step. A confirmation is valid once, for ten minutes,
 * and only for the purchase that it was issued for.
 */
export class LiveConfirmations<T> {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(purchase: T): string {
    const now = this.#clock.now();
    for (const [id, { until }] of this.#waiting) if (until <= now) this.#waiting.delete(id);
    const id = randomUUID();
    this.#waiting.set(id, { purchase, until: now + VALID_MS });
    return id;
  }

  /** @returns undefined if the confirmation is unknown, used or expired */
  take(id: string): T | undefined {
    const found = this.#waiting.get(id);
    this.#waiting.delete(id);
    return found && found.until > this.#clock.now() ? found.purchase : undefined;
  }
}
