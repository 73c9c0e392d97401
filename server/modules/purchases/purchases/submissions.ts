import { enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject } from "../../../jobs/job-subject.ts";
import { type Clock, MINUTE } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import { TimeoutError, withTimeout } from "../../../lib/with-timeout.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { ProviderLimited } from "../../../providers/provider-call.ts";
import {
  refOf,
  StaleTransition,
  subjectOf,
  type TransactionRef,
} from "../../books/transactions/index.ts";
import type { Base } from "../../module.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";
import type { SendingClaims } from "./sending-claims.ts";

interface SubmissionsDeps extends Pick<Base, "transactor" | "clock" | "log"> {
  claims: SendingClaims | undefined;
  /** `isAlone` is the value that was passed to `send`. */
  answered(purchase: StoredPurchase, answer: ProviderAnswer, isAlone: boolean): Promise<void>;
  whenWritable(): Promise<void>;
}

interface Submission {
  purchase: StoredPurchase;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Sends attempts that are already on disk. Without an answer, the status is queried at the deadline
 * or at the next start. If several processes share the database, each process claims the attempts
 * that it sends.
 *
 * If a disk error prevents the write of an answer, the status is queried as soon as writing works
 * (rules#purchase-unwritten-answer).
 */
export class Submissions {
  readonly #deps: SubmissionsDeps;
  readonly #inFlight = new Map<string, Submission>();
  #isStopped = false;

  constructor(deps: SubmissionsDeps) {
    this.#deps = deps;
  }

  /** @param isAlone whether no earlier attempt can still arrive */
  send(provider: Provider, purchase: StoredPurchase, isAlone: boolean): void {
    const subject = subjectOf(purchase.transaction);
    const abort = new AbortController();
    const done = this.#submit(provider, purchase, { signal: abort.signal, isAlone }).finally(() => {
      if (this.#inFlight.get(subject)?.abort === abort) this.#inFlight.delete(subject);
    });
    this.#inFlight.set(subject, { purchase, abort, done });
    this.#deps.claims?.keep(() => this.#listSent());
  }

  has(purchase: StoredPurchase): boolean {
    return this.#inFlight.has(subjectOf(purchase.transaction));
  }

  abandon(purchase: StoredPurchase): void {
    this.#inFlight.get(subjectOf(purchase.transaction))?.abort.abort();
  }

  get waiting(): number {
    return this.#inFlight.size;
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) {
      await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    }
  }

  /** Ends the wait for answers. Another process or the next start queries the status. */
  async stop(): Promise<void> {
    const { claims, log } = this.#deps;
    claims?.stop();
    const cut = [...this.#inFlight.values()];
    for (const { abort } of cut) abort.abort();
    await this.idle();
    this.#isStopped = true;
    if (!claims) return;
    // If this write fails, another process queries the status after the claim expires.
    await Promise.all(
      cut.map(({ purchase: { transaction } }) =>
        this.#handOver(subjectOf(transaction)).catch((error: unknown) => {
          const { transactionId } = transaction;
          log.error({ err: error, transactionId }, "an answer is waited for in vain for a while");
        }),
      ),
    );
  }

  /** Omits attempts past their deadline, because another process may query them. */
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
      // The outcome is unknown: the job at the deadline queries the status.
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

  #isOwn({ transaction }: StoredPurchase, claims: SendingClaims): Promise<boolean> {
    return claims.holds(transaction).catch((error: unknown) => {
      this.#deps.log.error({ err: error }, "a claim could not be read");
      return false;
    });
  }

  async #askOnceWritable(subject: string): Promise<void> {
    const { log, whenWritable } = this.#deps;
    for (let isLost = true; isLost; ) {
      await whenWritable();
      if (this.#isStopped) return;
      try {
        await this.#handOver(subject);
        isLost = false;
      } catch (error) {
        // The disk failed again. After other errors, the job at the deadline queries the status.
        isLost = describeStorageFault(error) !== undefined;
        if (!isLost) log.error({ err: error, subject }, "a lost answer could not be asked for");
      }
    }
  }

  /** Runs the purchase's job now, so that the process that takes the job queries the status. */
  async #handOver(subject: string): Promise<void> {
    const { transactor, clock, claims } = this.#deps;
    const job = { kind: ADVANCE_JOB, subject, runAt: clock.now() };
    await transactor.transact(accountOfSubject(subject), async (tx) => {
      await claims?.abandon(tx, refOf(subject));
      await enqueueJob(tx, job);
    });
  }
}

const INQUIRY_TIMEOUT_MS = MINUTE;

/** Queries a purchase's status. Returns undefined if the provider does not answer. */
export async function inquireAbout(
  { clock, log }: { clock: Clock; log: Log },
  provider: Provider,
  purchase: StoredPurchase,
): Promise<ProviderAnswer | undefined> {
  const { inquiry = "by-key" } = provider;
  if (inquiry === "none") return UNANSWERABLE;
  try {
    const answer = await withTimeout(clock, { timeout_ms: INQUIRY_TIMEOUT_MS }, (signal) =>
      provider.inquire(orderOf(purchase), signal),
    );
    const isUnlisted = answer.kind === "not-received" && inquiry === "by-listing";
    return isUnlisted ? { ...answer, ...UNLISTED } : answer;
  } catch (error) {
    if (error instanceof TimeoutError) return undefined;
    if (error instanceof ProviderLimited) {
      const checkAgainAt = clock.now() + error.retryAfter_ms;
      return { kind: "unreadable", message: "the provider is not asked yet", checkAgainAt };
    }
    const { transactionId } = purchase.transaction;
    log.warn({ err: error, transactionId }, "a provider did not answer an inquiry");
    return undefined;
  }
}

/** The answer for a provider without inquiries: it never permits another submission. */
const UNANSWERABLE: ProviderAnswer = {
  kind: "unreadable",
  message: "the provider answers no inquiries",
};

/** An order that is missing in a list may still be under way: it is never submitted again. */
const UNLISTED = {
  kind: "unreadable",
  message: "the provider's list does not have the order",
} as const;
