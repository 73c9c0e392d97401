import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject } from "../../../jobs/job-subject.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import {
  refOf,
  StaleTransition,
  subjectOf,
  type TransactionRef,
} from "../../books/transactions/index.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";
import type { SendingClaims } from "./sending-claims.ts";

interface SubmissionsDeps {
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** Undefined where one process has the database for itself. */
  claims: SendingClaims | undefined;
  /** Takes the answer; `isAlone` as it was sent. */
  answered(purchase: StoredPurchase, answer: ProviderAnswer, isAlone: boolean): Promise<void>;
  /** Resolves when the database can be written. */
  whenWritable(): Promise<void>;
}

interface Submission {
  purchase: StoredPurchase;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Attempts on their way to a provider. An attempt is on the disk before it is sent, and one without an answer is
 * asked about at its deadline or at the next start. Where several processes have the database, each has a claim on
 * what it sends, and one whose claim is over is asked about by another.
 *
 * An answer that could not be written for a fault of the disk is asked for as soon as writing works, and not at
 * the deadline (rules#purchase-unwritten-answer). Memory is enough for that: the next start asks about everything
 * that was sent.
 */
export class Submissions {
  readonly #deps: SubmissionsDeps;
  /** Attempts without an answer yet, by the subject of the transaction; only to end their wait. */
  readonly #inFlight = new Map<string, Submission>();
  #isStopped = false;

  constructor(deps: SubmissionsDeps) {
    this.#deps = deps;
  }

  /**
   * Sends an attempt without waiting for the answer.
   * @param isAlone whether no attempt before it can be under way still
   */
  send(provider: Provider, purchase: StoredPurchase, isAlone: boolean): void {
    const subject = subjectOf(purchase.transaction);
    const abort = new AbortController();
    const done = this.#submit(provider, purchase, { signal: abort.signal, isAlone }).finally(() => {
      if (this.#inFlight.get(subject)?.abort === abort) this.#inFlight.delete(subject);
    });
    this.#inFlight.set(subject, { purchase, abort, done });
    this.#deps.claims?.keep(() => this.#listSent());
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

  /** Stops waiting for any answer; another process asks for them, or the next start. */
  async stop(): Promise<void> {
    const { claims, log } = this.#deps;
    claims?.stop();
    const cut = [...this.#inFlight.values()];
    for (const { abort } of cut) abort.abort();
    await this.idle();
    this.#isStopped = true;
    if (!claims) return;
    // Where this cannot be written, another process asks once the claim is over.
    await Promise.all(
      cut.map(({ purchase: { transaction } }) =>
        this.#handOver(subjectOf(transaction)).catch((error: unknown) => {
          const { transactionId } = transaction;
          log.error({ err: error, transactionId }, "an answer is waited for in vain for a while");
        }),
      ),
    );
  }

  /** What waits for its answer. At its deadline another process may look: nobody waits any longer than that. */
  #listSent(): TransactionRef[] {
    const now = this.#deps.clock.now();
    const sent: TransactionRef[] = [];
    for (const { purchase, abort } of this.#inFlight.values()) {
      if ((purchase.nextAttemptAt ?? now) <= now) abort.abort();
      else sent.push(purchase.transaction);
    }
    return sent;
  }

  async #submit(
    provider: Provider,
    purchase: StoredPurchase,
    { signal, isAlone }: { signal: AbortSignal; isAlone: boolean },
  ): Promise<void> {
    const { log, answered, claims } = this.#deps;
    const { transactionId } = purchase.transaction;
    try {
      if (claims && !(await this.#isOwn(purchase, claims))) {
        log.warn({ transactionId }, "an attempt is not sent: its time to be sent is over");
        void this.#askOnceWritable(subjectOf(purchase.transaction));
        return;
      }
      if (signal.aborted) return;
      const answer = await provider.submit(orderOf(purchase), signal);
      if (signal.aborted) return;
      await answered(purchase, answer, isAlone);
    } catch (error) {
      // Without an answer the outcome is unknown: the job at the attempt's deadline asks for it.
      if (error instanceof StaleTransition) {
        log.info({ transactionId }, "an answer came after the purchase had moved on");
      } else if (describeStorageFault(error) !== undefined) {
        log.error({ err: error, transactionId }, "what came of a submission could not be written");
        void this.#askOnceWritable(subjectOf(purchase.transaction));
      } else if (!signal.aborted) {
        log.warn({ err: error, transactionId }, "a provider did not answer a submission");
        await claims?.noteUnanswered(purchase.transaction);
      }
    }
  }

  /** Whether it is still this process that sends it, which has stood still if not. */
  #isOwn({ transaction }: StoredPurchase, claims: SendingClaims): Promise<boolean> {
    return claims.holds(transaction).catch((error: unknown) => {
      this.#deps.log.error({ err: error }, "a claim could not be read");
      return false;
    });
  }

  /** Has an attempt looked at as soon as the database can be written. */
  async #askOnceWritable(subject: string): Promise<void> {
    const { log, whenWritable } = this.#deps;
    for (let isLost = true; isLost; ) {
      await whenWritable();
      if (this.#isStopped) return;
      try {
        await this.#handOver(subject);
        isLost = false;
      } catch (error) {
        // The disk failed once more. Any other error is left to the deadline.
        isLost = describeStorageFault(error) !== undefined;
        if (!isLost) log.error({ err: error, subject }, "a lost answer could not be asked for");
      }
    }
  }

  /** This process no longer sends it: it is looked at now, by whichever process comes first. */
  async #handOver(subject: string): Promise<void> {
    const { transactor, clock, claims } = this.#deps;
    const job = { kind: ADVANCE_JOB, subject, runAt: clock.now() };
    await transactor.transact(accountOfSubject(subject), async (tx) => {
      await claims?.abandon(tx, refOf(subject));
      await enqueueJob(tx, job);
    });
  }
}
