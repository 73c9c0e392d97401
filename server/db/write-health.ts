import { type Clock, SECOND } from "../lib/clock.ts";
import { describeStorageFault, isDiskFull, isUnreadable } from "../lib/storage-fault.ts";

/** So long after a page could not be read, the next sale is expected to meet it, too. */
const UNREADABLE_MS = 30 * SECOND;

/** The outcome of the last write and of reads that failed: they predict whether the next sale will succeed. */
export class WriteHealth {
  readonly #clock: Clock;
  #last: { at: number; error: unknown } | undefined;
  #lastUnread: { at: number; error: unknown } | undefined;
  /** A full disk often still has room for a small write. */
  #needsProof = false;
  #waiting: (() => void)[] = [];
  readonly #faultListeners: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something was changed, and is on the disk. */
  succeeded(): void {
    if (this.#needsProof) return;
    this.#last = { at: this.#clock.now(), error: undefined };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** As much as a sale writes was written. */
  proved(): void {
    this.#needsProof = false;
    this.succeeded();
  }

  /** Notes that a request met a part of the database that could not be read. */
  failedToRead(error: unknown): void {
    // A write that failed is noted already, and ends with the next one that works.
    if (error === this.#last?.error) return;
    if (isUnreadable(error)) this.#lastUnread = { at: this.#clock.now(), error };
  }

  /** Why something could not be read lately. */
  get readFault(): unknown {
    if (!this.#lastUnread) return undefined;
    const age_ms = this.#clock.now() - this.#lastUnread.at;
    return age_ms >= 0 && age_ms < UNREADABLE_MS ? this.#lastUnread.error : undefined;
  }

  /** Notes faults of the disk only: what a rule refused says nothing about it. */
  failed(error: unknown): void {
    if (describeStorageFault(error) === undefined) return;
    if (isDiskFull(error)) this.#needsProof = true;
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
