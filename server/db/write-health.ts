import { type Clock, SECOND } from "../lib/clock.ts";
import { describeStorageFault, isDiskFull, isUnreadable } from "../lib/storage-fault.ts";

/** Time after an unreadable page in which the next sale is expected to meet it as well. */
const UNREADABLE_MS = 30 * SECOND;

/** The outcome of the last write and of reads that failed: they predict whether the next sale will succeed. */
export class WriteHealth {
  readonly #clock: Clock;
  #last: { at: number; error: unknown } | undefined;
  #lastUnread: { at: number; error: unknown } | undefined;
  /** A full disk often still has space for a small write. */
  #needsProof = false;
  #waiting: (() => void)[] = [];
  readonly #faultListeners: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A change is on the disk. */
  succeeded(): void {
    if (this.#needsProof) return;
    this.#last = { at: this.#clock.now(), error: undefined };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** A write of the size of a sale succeeded. */
  proved(): void {
    this.#needsProof = false;
    this.succeeded();
  }

  /** Stores that a request met an unreadable part of the database. */
  failedToRead(error: unknown): void {
    // A failed write is stored already, and cleared by the next one that works.
    if (error === this.#last?.error) return;
    if (isUnreadable(error)) this.#lastUnread = { at: this.#clock.now(), error };
  }

  /** The reason why a recent read failed. */
  get readFault(): unknown {
    if (!this.#lastUnread) return undefined;
    const age_ms = this.#clock.now() - this.#lastUnread.at;
    return age_ms >= 0 && age_ms < UNREADABLE_MS ? this.#lastUnread.error : undefined;
  }

  /** Stores disk errors only: a refusal by a rule does not show that writing fails. */
  failed(error: unknown): void {
    if (describeStorageFault(error) === undefined) return;
    if (isDiskFull(error)) this.#needsProof = true;
    this.#last = { at: this.#clock.now(), error };
    for (const listener of this.#faultListeners) listener();
  }

  /** Calls back at every write that a disk error stopped. */
  onFault(listener: () => void): void {
    this.#faultListeners.push(listener);
  }

  /** Resolves when the database can be written: at once if the last write succeeded. */
  async whenWritable(): Promise<void> {
    if (this.fault === undefined) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The reason why the last write failed; undefined if it succeeded. */
  get fault(): unknown {
    return this.#last?.error;
  }

  /** Returns whether a write succeeded within this time, by a clock that may have changed. */
  hasWritten(within_ms: number): boolean {
    if (!this.#last || this.#last.error !== undefined) return false;
    const age_ms = this.#clock.now() - this.#last.at;
    return age_ms >= 0 && age_ms < within_ms;
  }
}
