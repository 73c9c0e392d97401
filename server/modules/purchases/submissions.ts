import type { Log } from "../../lib/log.ts";
import { describeStorageFault } from "../../lib/storage-fault.ts";
import type { Answer, Supplier } from "../../suppliers/supplier.ts";
import { StaleTransition, subjectOf } from "../transactions/index.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";

interface Deps {
  log: Log;
  /** Writes what the provider said. */
  apply(purchase: StoredPurchase, answer: Answer): Promise<void>;
  /** What came of an attempt could not be written for a fault of the disk. */
  lost(subject: string): void;
}

interface Submission {
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Attempts on their way to a provider. Memory is enough here: an attempt is on the disk before it is
 * sent, and one without an answer is asked about at its deadline or at the next start.
 */
export class Submissions {
  readonly #deps: Deps;
  /** Attempts without an answer yet, by the subject of the transaction; only to end their wait. */
  readonly #inFlight = new Map<string, Submission>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Sends an attempt without waiting for the answer.
   * @param isAlone whether no attempt before it can be under way still
   */
  send(supplier: Supplier, purchase: StoredPurchase, isAlone: boolean): void {
    const subject = subjectOf(purchase.transaction);
    const abort = new AbortController();
    const done = this.#submit(supplier, purchase, { signal: abort.signal, isAlone }).finally(() => {
      if (this.#inFlight.get(subject)?.abort === abort) this.#inFlight.delete(subject);
    });
    this.#inFlight.set(subject, { abort, done });
  }

  /** Whether an attempt of a purchase waits for its answer. */
  has(purchase: StoredPurchase): boolean {
    return this.#inFlight.has(subjectOf(purchase.transaction));
  }

  /** Stops waiting for the answer to an attempt. */
  abandon(purchase: StoredPurchase): void {
    this.#inFlight.get(subjectOf(purchase.transaction))?.abort.abort();
  }

  /** Resolves when none waits for its answer. */
  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) {
      await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    }
  }

  /** Stops waiting for any answer; the next start asks for them. */
  async stop(): Promise<void> {
    for (const { abort } of this.#inFlight.values()) abort.abort();
    await this.idle();
  }

  async #submit(
    supplier: Supplier,
    purchase: StoredPurchase,
    { signal, isAlone }: { signal: AbortSignal; isAlone: boolean },
  ): Promise<void> {
    const { log, apply } = this.#deps;
    const { transactionId } = purchase.transaction;
    try {
      const answer = await supplier.submit(orderOf(purchase), signal);
      if (signal.aborted) return;
      // That this attempt failed says nothing of the one before: the provider is asked at its deadline.
      if (answer.kind === "recoverable" && !isAlone) {
        log.info({ transactionId, answer: answer.message }, "an attempt failed beside another");
      } else {
        await apply(purchase, answer);
      }
    } catch (error) {
      // Without an answer the outcome is unknown: the job at the attempt's deadline asks for it.
      if (error instanceof StaleTransition) {
        log.info({ transactionId }, "an answer came after the purchase had moved on");
      } else if (describeStorageFault(error) !== undefined) {
        log.error({ err: error, transactionId }, "what came of a submission could not be written");
        this.#deps.lost(subjectOf(purchase.transaction));
      } else if (!signal.aborted) {
        log.warn({ err: error, transactionId }, "a provider did not answer a submission");
      }
    }
  }
}
