import { type Clock, SECOND } from "../lib/clock.ts";
import { describeStorageFault, isDiskFull, isUnreadable } from "../lib/storage-fault.ts";

/** Time after the read of an unreadable page during which the next sale is expected to fail. */
const UNREADABLE_MS = 30 * SECOND;

/**
 * Outcome of the last write, and the last failed read. They predict whether
 * the next sale will succeed.
 */
export class WriteHealth {
  readonly #clock: Clock;
  #last: { at: number; error: unknown } | undefined;
  #lastUnread: { at: number; error: unknown } | undefined;
  /**
   * True after the disk was full, until a write of a sale's size succeeds: a small write may
   * succeed on a full disk.
   */
  #needsProof = false;
  #waiting: (() => void)[] = [];
  readonly #faultListeners: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  succeeded(): void {
    if (this.#needsProof) return;
    this.#last = { at: this.#clock.now(), error: undefined };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Records that a write of the size of a sale succeeded. */
  proved(): void {
    this.#needsProof = false;
    this.succeeded();
  }

  /** Records that a request found an unreadable part of the database. */
  failedToRead(error: unknown): void {
    // A failed write is already stored, and the next successful write clears it.
    if (error === this.#last?.error) return;
    if (isUnreadable(error)) this.#lastUnread = { at: this.#clock.now(), error };
  }

  /** Reason why a recent read failed; undefined if none failed. */
  get readFault(): unknown {
    if (!this.#lastUnread) return undefined;
    const age_ms = this.#clock.now() - this.#lastUnread.at;
    return age_ms >= 0 && age_ms < UNREADABLE_MS ? this.#lastUnread.error : undefined;
  }

  /**
   * Records a failed write. Only disk errors count: a refusal by a rule does not
   * show that writing fails.
   */
  failed(error: unknown): void {
    if (describeStorageFault(error) === undefined) return;
    if (isDiskFull(error)) this.#needsProof = true;
    this.#last = { at: this.#clock.now(), error };
    for (const listener of this.#faultListeners) listener();
  }

  /** Calls the listener after every write that failed with a disk error. */
  onFault(listener: () => void): void {
    this.#faultListeners.push(listener);
  }

  /** Resolves when the database can be written; at once if the last write succeeded. */
  async whenWritable(): Promise<void> {
    if (this.fault === undefined) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Reason why the last write failed; undefined if it succeeded. */
  get fault(): unknown {
    return this.#last?.error;
  }

  /** Returns whether a write succeeded in the last `within_ms`; false if the clock was set back. */
  hasWritten(within_ms: number): boolean {
    if (!this.#last || this.#last.error !== undefined) return false;
    const age_ms = this.#clock.now() - this.#last.at;
    return age_ms >= 0 && age_ms < within_ms;
  }
}
