import type { Clock } from "../lib/clock.ts";
import { describeStorageFault } from "../lib/storage-fault.ts";

/** The outcome of the last write: the only thing that predicts whether the next one will succeed. */
export class WriteHealth {
  readonly #clock: Clock;
  #last: { at: number; error: unknown } | undefined;
  #waiting: (() => void)[] = [];
  readonly #faultListeners: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something was changed, and is on the disk. */
  succeeded(): void {
    this.#last = { at: this.#clock.now(), error: undefined };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Notes faults of the disk only: what a rule refused says nothing about it. */
  failed(error: unknown): void {
    if (describeStorageFault(error) === undefined) return;
    this.#last = { at: this.#clock.now(), error };
    for (const listener of this.#faultListeners) listener();
  }

  /** Notified of every write that a fault of the disk stopped. */
  onFault(listener: () => void): void {
    this.#faultListeners.push(listener);
  }

  /** Resolves when something can be written: at once where the last write succeeded. */
  async whenWritable(): Promise<void> {
    if (this.fault === undefined) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Why the last write failed; undefined where it did not. */
  get fault(): unknown {
    return this.#last?.error;
  }

  /** Whether something was written within this time, by a clock that may have been moved. */
  hasWritten(within_ms: number): boolean {
    if (!this.#last || this.#last.error !== undefined) return false;
    const age_ms = this.#clock.now() - this.#last.at;
    return age_ms >= 0 && age_ms < within_ms;
  }
}
