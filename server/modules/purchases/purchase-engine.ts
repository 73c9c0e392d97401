import type { Environment } from "../../contract/common.ts";
import type { Db, Transactor, Tx } from "../../db/database.ts";
import { enqueueJob } from "../../jobs/job-store.ts";
import { type Clock, MINUTE } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Answer, Order, Outcome, Supplier } from "../../suppliers/supplier.ts";
import { StaleTransition } from "../transactions/index.ts";
import { failure } from "./purchase-failures.ts";
import { findPurchase, listUnknownOutcomes, type StoredPurchase } from "./purchase-store.ts";
import {
  ADVANCE_JOB,
  authorize,
  beginAttempt,
  complete,
  expire,
  fail,
  keepAsking,
  postpone,
  refOf,
  refuse,
  subjectOf,
  wait,
  windowEnd,
} from "./purchase-transitions.ts";

/** A provider that leaves a question open this long has not answered it. */
const ENQUIRY_PATIENCE_MS = MINUTE;

interface Parts {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** The provider of an environment; undefined where none is connected. */
  supplierOf(environment: Environment): Supplier | undefined;
  /** Whether recoverable errors are retried (spec §1, queue and retry). */
  isQueueEnabled(db: Db, scope: { accountId: string; environment: Environment }): Promise<boolean>;
}

/**
 * Takes purchases through their states (decisions §4). `advance` is the handler of a durable job:
 * it looks where a purchase stands and does the next thing, so that it may be called at any time
 * and as often as one likes. What it learns is written before anything else is done.
 *
 * A provider is told of an attempt only after the attempt is on the disk. From then on its outcome
 * is unknown until the provider says it, and an unknown outcome is asked about, never resubmitted.
 */
export class PurchaseEngine {
  readonly #parts: Parts;
  /** Submissions without an answer yet; only to end their wait. */
  readonly #inFlight = new Map<string, { abort: AbortController; done: Promise<void> }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks at once about whatever was sent before the gateway stopped. */
  async recover(): Promise<void> {
    const { db, transactor, clock } = this.#parts;
    for (const ref of await listUnknownOutcomes(db)) {
      await transactor.transact((tx) =>
        enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(ref), runAt: clock.now() }),
      );
    }
  }

  /** Stops waiting for answers; the next start asks for them. */
  async stop(): Promise<void> {
    const submissions = [...this.#inFlight.values()];
    for (const { abort } of submissions) abort.abort();
    await Promise.all(submissions.map(({ done }) => done));
  }

  async advance(subject: string): Promise<void> {
    for (let more = true; more; ) {
      const purchase = await findPurchase(this.#parts.db, refOf(subject));
      try {
        more = purchase !== undefined && (await this.#step(purchase));
      } catch (error) {
        // An answer was faster than this step: look again where the purchase stands.
        if (!(error instanceof StaleTransition)) throw error;
      }
    }
  }

  /** Does the next thing; true when the one after it can follow at once. */
  async #step(purchase: StoredPurchase): Promise<boolean> {
    switch (purchase.transaction.status) {
      case "ACCEPTED":
      case "PENDING":
        await this.#authorize(purchase);
        return true;
      case "AUTHORIZED":
        await this.#submit(purchase);
        return false;
      case "IN_PROGRESS":
        await this.#followUp(purchase);
        return false;
      default:
        return false;
    }
  }

  async #authorize(purchase: StoredPurchase): Promise<void> {
    const connected = this.#parts.supplierOf(purchase.transaction.environment) !== undefined;
    await this.#write((tx, now) =>
      connected
        ? authorize(tx, purchase, now)
        : refuse(
            tx,
            purchase,
            now,
            failure("PROVIDER_NOT_CONFIGURED", "No provider is connected."),
          ),
    );
  }

  /** Writes the next attempt down, then sends it without waiting for the answer. */
  async #submit(purchase: StoredPurchase): Promise<void> {
    await this.#write((tx, now) => beginAttempt(tx, purchase, now));
    const subject = subjectOf(purchase.transaction);
    const sent = await findPurchase(this.#parts.db, purchase.transaction);
    const supplier = this.#parts.supplierOf(purchase.transaction.environment);
    if (!sent || !supplier) return;
    const abort = new AbortController();
    const done = this.#send(supplier, sent, abort.signal).finally(() => {
      if (this.#inFlight.get(subject)?.abort === abort) this.#inFlight.delete(subject);
    });
    this.#inFlight.set(subject, { abort, done });
  }

  async #send(supplier: Supplier, purchase: StoredPurchase, signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    const { transactionId } = purchase.transaction;
    try {
      const answer = await supplier.submit(orderOf(purchase), signal);
      if (!signal.aborted) await this.#apply(purchase, answer);
    } catch (error) {
      // Without an answer the outcome is unknown: the job at the attempt's deadline asks for it.
      if (error instanceof StaleTransition) {
        log.info({ transactionId }, "an answer came after the purchase had moved on");
      } else if (!signal.aborted) {
        log.warn({ err: error, transactionId }, "a provider did not answer a submission");
      }
    }
  }

  /** A purchase in progress whose job is due: a deadline, a question, or a start after a stop. */
  async #followUp(purchase: StoredPurchase): Promise<void> {
    const now = this.#parts.clock.now();
    const due = (purchase.nextAttemptAt ?? now) <= now;
    const submission = this.#inFlight.get(subjectOf(purchase.transaction));
    switch (purchase.attemptState) {
      case "FAILED":
        return due ? this.#tryAgain(purchase) : this.#rest(purchase);
      case "SENT":
        if (!due) return submission ? this.#rest(purchase) : this.#ask(purchase);
        submission?.abort.abort();
        return this.#noteSilence(purchase);
      default:
        return this.#ask(purchase);
    }
  }

  async #tryAgain(purchase: StoredPurchase): Promise<void> {
    if (this.#parts.clock.now() < windowEnd(purchase)) return this.#submit(purchase);
    await this.#write((tx, now) => expire(tx, purchase, now, false));
  }

  #rest(purchase: StoredPurchase): Promise<void> {
    return this.#write((tx, now) => wait(tx, purchase, now));
  }

  /** The attempt got no answer in its time: that is written down, then the provider is asked. */
  async #noteSilence(purchase: StoredPurchase): Promise<void> {
    if (this.#parts.clock.now() < windowEnd(purchase)) {
      await this.#write((tx, now) =>
        postpone(tx, purchase, now, { reason: "no answer for 15 minutes", state: "SENT" }),
      );
    }
    const noted = await findPurchase(this.#parts.db, purchase.transaction);
    if (noted) await this.#ask(noted);
  }

  async #ask(purchase: StoredPurchase): Promise<void> {
    const expired = this.#parts.clock.now() >= windowEnd(purchase);
    const outcome = await this.#enquire(purchase);
    switch (outcome?.kind) {
      case "fulfilled":
      case "rejected":
        return this.#apply(purchase, outcome);
      case "recoverable":
      case "not-received":
        if (expired) return this.#write((tx, now) => expire(tx, purchase, now, false));
        return outcome.kind === "recoverable"
          ? this.#apply(purchase, outcome)
          : this.#resubmit(purchase);
      case "working":
        if (expired) return this.#write((tx, now) => expire(tx, purchase, now, true));
        return this.#apply(purchase, outcome);
      case undefined:
        if (expired) return this.#write((tx, now) => expire(tx, purchase, now, true));
        return this.#rest(purchase);
    }
  }

  /** The provider never received the attempt: it may be sent again, unless queueing is off. */
  async #resubmit(purchase: StoredPurchase): Promise<void> {
    const { db, isQueueEnabled } = this.#parts;
    if (await isQueueEnabled(db, purchase.transaction)) return this.#submit(purchase);
    await this.#apply(purchase, { kind: "recoverable", message: "the provider never received it" });
  }

  async #enquire(purchase: StoredPurchase): Promise<Outcome | undefined> {
    const { clock, log, supplierOf } = this.#parts;
    const { environment, transactionId } = purchase.transaction;
    const supplier = supplierOf(environment);
    if (!supplier) return undefined;
    const abort = new AbortController();
    const silence = new Promise<undefined>((resolve) => {
      abort.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const cancel = clock.wakeAt(clock.now() + ENQUIRY_PATIENCE_MS, () => abort.abort());
    try {
      return await Promise.race([supplier.enquire(orderOf(purchase), abort.signal), silence]);
    } catch (error) {
      log.warn({ err: error, transactionId }, "a provider did not answer a question");
      return undefined;
    } finally {
      cancel();
    }
  }

  /** Writes what the provider said. */
  async #apply(purchase: StoredPurchase, answer: Answer): Promise<void> {
    switch (answer.kind) {
      case "fulfilled":
        return this.#write((tx, now) => complete(tx, purchase, now, answer.fulfilment));
      case "rejected":
        return this.#write((tx, now) =>
          fail(tx, purchase, now, failure(answer.code, answer.message)),
        );
      case "working":
        return this.#write((tx, now) => keepAsking(tx, purchase, now, answer.askAgainAt));
      case "recoverable": {
        const { db, isQueueEnabled } = this.#parts;
        const queued = await isQueueEnabled(db, purchase.transaction);
        return this.#write((tx, now) =>
          queued
            ? postpone(tx, purchase, now, { reason: answer.message, state: "FAILED" })
            : fail(
                tx,
                purchase,
                now,
                failure("PROVIDER_UNAVAILABLE", `Failed: ${answer.message}.`),
              ),
        );
      }
    }
  }

  #write(work: (tx: Tx, now: number) => Promise<void>): Promise<void> {
    return this.#parts.transactor.transact((tx) => work(tx, this.#parts.clock.now()));
  }
}

function orderOf(purchase: StoredPurchase): Order {
  const { transaction, offer, quote } = purchase;
  return {
    accountId: transaction.accountId,
    environment: transaction.environment,
    transactionId: transaction.transactionId,
    productType: transaction.productType,
    offerId: offer.offerId,
    brand: offer.brand,
    country: offer.country,
    recipient: purchase.recipient,
    deliveryType: offer.productType === "VOUCHER" ? offer.deliveryType : "",
    send: quote.send,
    sendCurrency: offer.send.currency,
    sendCurrencyDivisor: offer.send.currencyDivisor,
  };
}
