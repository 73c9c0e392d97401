import { randomUUID } from "node:crypto";
import { type Clock, DAY, MINUTE } from "../../lib/clock.ts";

const VALID_MS = 10 * MINUTE;
/** Time for which a repeat of a confirmation finds its purchase. */
const KEPT_MS = DAY;

export interface LiveConfirmation<T> {
  readonly purchase: T;
  readonly validUntil: number;
  /** USED from just before the purchase is sent. VOID after the price changed. */
  state: "OPEN" | "USED" | "VOID";
}

/**
 * Live purchases that wait for their second step. A confirmation is valid once, for ten minutes,
 * and only for the purchase that it was issued for. A used confirmation still names its purchase.
 */
export class LiveConfirmations<T> {
  readonly #clock: Clock;
  readonly #issued = new Map<string, LiveConfirmation<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(purchase: T): string {
    const now = this.#clock.now();
    for (const [id, { validUntil }] of this.#issued) {
      if (validUntil + KEPT_MS <= now) this.#issued.delete(id);
    }
    const id = randomUUID();
    this.#issued.set(id, { purchase, validUntil: now + VALID_MS, state: "OPEN" });
    return id;
  }

  /** @returns undefined if this server did not issue the confirmation, or issued it days ago */
  find(id: string): LiveConfirmation<T> | undefined {
    return this.#issued.get(id);
  }

  isOpen({ state, validUntil }: LiveConfirmation<T>): boolean {
    return state === "OPEN" && validUntil > this.#clock.now();
  }

  isUsed({ state }: LiveConfirmation<T>): boolean {
    return state === "USED";
  }
}
