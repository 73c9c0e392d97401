import type { Tx } from "../../../db/database.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, MINUTE } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { TimeoutError, withTimeout } from "../../../lib/with-timeout.ts";
import type { ProviderAnswer, Supplier } from "../../../suppliers/supplier.ts";
import { refOf, StaleTransition, subjectOf } from "../../books/transactions/index.ts";
import { noteFailure } from "./brand-breaker.ts";
import { LostAnswers } from "./lost-answers.ts";
import {
  type AnswerDeps,
  type ClearAnswer,
  isLast,
  recordAnswer,
  writeAnswered,
} from "./provider-answers.ts";
import {
  type AuthorizationDeps,
  isToBeSent,
  PurchaseAuthorization,
} from "./purchase-authorization.ts";
import { findPurchase, orderOf, type StoredPurchase } from "./purchase-store.ts";
import {
  ADVANCE_JOB,
  beginAttempt,
  expire,
  keepChecking,
  lookOnceMore,
  postpone,
  takeUp,
  wait,
  waitForSender,
} from "./purchase-transitions.ts";
import {
  hasBeenAskedEnough,
  isWindowOver,
  NO_ANSWER,
  RETRY_INTERVAL_MS,
  wasOverlooked,
} from "./retry-policy.ts";
import { SendingClaims } from "./sending-claims.ts";
import { Submissions } from "./submissions.ts";
import { QUESTION_INTERVAL_MS, TimeAsked } from "./time-asked.ts";
import { listInterrupted } from "./unfinished-store.ts";
import { writeFor } from "./write-for.ts";

/** A provider that leaves a query open this long has not answered it. */
const ENQUIRY_TIMEOUT_MS = MINUTE;

/** The provider could not be asked. */
const NO_OUTCOME: ProviderAnswer = { kind: "not-received" };

interface Deps extends AuthorizationDeps, AnswerDeps {
  /** Resolves when the database can be written. */
  whenWritable(): Promise<void>;
}

/**
 * Takes purchases through their states (rules#purchase-states). `advance` is the handler of a durable
 * job: it looks where a purchase stands and does the next thing, so it may be called at any time and
 * any number of times. What it learns is written before anything else is done.
 * A provider gets an attempt only after the attempt is on the disk. From then on its outcome is unknown
 * until the provider says it, and an unknown outcome is asked about, never resubmitted
 * (rules#purchase-unknown-outcome). The clock alone never ends such a purchase
 * (rules#purchase-clock-decides-nothing): the provider is asked first, and for 24 hours of this program
 * running where it does not answer.
 */
export class PurchaseEngine {
  readonly #deps: Deps;
  readonly #authorization: PurchaseAuthorization;
  readonly #submissions: Submissions;
  readonly #timeAsked: TimeAsked;
  readonly #lostAnswers: LostAnswers;
  /** Undefined where one process has the database for itself. */
  readonly #claims: SendingClaims | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { claimant } = deps;
    const claims = claimant && new SendingClaims({ ...deps, claimant });
    this.#claims = claims;
    this.#authorization = new PurchaseAuthorization(deps);
    this.#timeAsked = new TimeAsked(deps.clock);
    this.#lostAnswers = new LostAnswers({ ...deps, claims });
    this.#submissions = new Submissions({
      ...deps,
      claims,
      apply: (purchase, answer) => this.#applySubmission(purchase, answer),
      lost: (subject) => void this.#lostAnswers.askFor(subject),
    });
  }

  /**
   * Asks at once about everything that was sent or asked before the gateway stopped, and looks at what
   * a clock that was moved back has put far into the future. What another process is sending is left to it.
   */
  async recover(): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    for (const ref of await listInterrupted(db, clock.now() + RETRY_INTERVAL_MS)) {
      await transactor.transact(ref.accountId, async (tx) => {
        await this.#claims?.takeUp(tx, ref);
        await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(ref), runAt: clock.now() });
      });
    }
  }

  /** Resolves when no submission waits for its answer. */
  idle(): Promise<void> {
    return this.#submissions.idle();
  }

  /** Stops waiting for answers; another process asks for them, or the next start. */
  async stop(): Promise<void> {
    const left = await this.#submissions.stop();
    this.#lostAnswers.stop();
    if (!this.#claims) return;
    await Promise.all(
      left.map(({ transaction }) => this.#lostAnswers.handOver(subjectOf(transaction))),
    );
  }

  async advance(subject: string): Promise<void> {
    for (let more = true; more; ) {
      const purchase = await findPurchase(this.#deps.db, refOf(subject));
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
    const { environment, transactionId, status } = purchase.transaction;
    this.#deps.log.debug({ transactionId, environment, status }, "taking a purchase on");
    switch (purchase.transaction.status) {
      case "ACCEPTED":
      case "PENDING":
        return this.#authorize(purchase);
      case "AUTHORIZED":
        if (isToBeSent(purchase)) {
          await this.#submit(purchase);
          return false;
        }
        await writeFor(this.#deps, purchase, (tx, now) => takeUp(tx, purchase, now));
        return true;
      case "IN_PROGRESS":
        await this.#followUp(purchase);
        return false;
      default:
        return false;
    }
  }

  async #authorize(purchase: StoredPurchase): Promise<boolean> {
    const held = await this.#authorization.tryFor(purchase);
    if (held?.transaction.status === "IN_PROGRESS") {
      await this.#send(held);
      return false;
    }
    return held?.transaction.status === "AUTHORIZED";
  }

  /**
   * Writes the next attempt down, then sends it without waiting for the answer.
   * @param isAlone whether no earlier attempt can still be under way
   */
  async #submit(purchase: StoredPurchase, isAlone = true): Promise<void> {
    const sender = this.#deps.claimant?.owner;
    const begun = await writeFor(this.#deps, purchase, (tx, now) =>
      beginAttempt(tx, purchase, now, { sender }),
    );
    await this.#send(begun, isAlone);
  }

  /** Sends an attempt that is on the disk. */
  async #send(purchase: StoredPurchase, isAlone = true): Promise<void> {
    this.#timeAsked.begin(subjectOf(purchase.transaction));
    const supplier = await this.#deps.supplierOf(purchase.transaction);
    if (supplier) this.#submissions.send(supplier, purchase, isAlone);
  }

  /** A purchase in progress whose job is due: a deadline, a question, or a start after a stop. */
  async #followUp(purchase: StoredPurchase): Promise<void> {
    const now = this.#deps.clock.now();
    const due = (purchase.nextAttemptAt ?? now) <= now;
    switch (purchase.attemptState) {
      case "FAILED":
        return due ? this.#tryAgain(purchase) : this.#rest(purchase);
      case "SENT":
        return this.#followUpSent(purchase, due);
      default:
        return this.#query(purchase);
    }
  }

  /** One whose answer is out. While another process waits for it, this one does nothing. */
  async #followUpSent(purchase: StoredPurchase, due: boolean): Promise<void> {
    if (this.#submissions.has(purchase)) {
      if (!due) return this.#rest(purchase, this.#deps.claimant?.owner);
      this.#submissions.abandon(purchase);
      return this.#noteSilence(purchase);
    }
    const sending = await this.#claims?.find(purchase.transaction);
    if (sending?.state === "SENT") {
      return writeFor(this.#deps, purchase, (tx, now) =>
        waitForSender(tx, purchase, now, sending.endsIn_ms),
      );
    }
    if (due) return this.#noteSilence(purchase);
    if (sending?.state === "UNANSWERED") return this.#rest(purchase);
    return this.#query(purchase, false);
  }

  async #tryAgain(purchase: StoredPurchase): Promise<void> {
    if (!isWindowOver(purchase, this.#deps.clock.now())) return this.#submit(purchase);
    // An earlier attempt may have been received: the provider is asked before money moves.
    if (purchase.doubt !== "NONE") return this.#query(purchase);
    await this.#end(purchase, (tx, now) => expire(tx, purchase, now, false));
  }

  #rest(purchase: StoredPurchase, sender?: string): Promise<void> {
    return writeFor(this.#deps, purchase, (tx, now) => wait(tx, purchase, now, sender));
  }

  /** The attempt got no answer in its time: that is written down, then the provider is asked. */
  async #noteSilence(purchase: StoredPurchase): Promise<void> {
    // Where the program was off when its time was up, or the clock was put forward, the attempt may
    // still be under way; a clock that goes on jumping cannot keep it so.
    const isOver =
      !wasOverlooked(purchase, this.#deps.clock.now()) ||
      this.#timeAsked.isIntervalOver(subjectOf(purchase.transaction));
    if (!isWindowOver(purchase, this.#deps.clock.now())) {
      await writeFor(this.#deps, purchase, async (tx, now) => {
        await postpone(tx, purchase, now, { reason: NO_ANSWER, state: "SENT" });
        await noteFailure(tx, purchase, now);
      });
    }
    const noted = await findPurchase(this.#deps.db, purchase.transaction);
    if (noted) await this.#query(noted, isOver);
  }

  /** @param isOver whether the attempt has had its time and is no longer under way */
  async #query(purchase: StoredPurchase, isOver = true): Promise<void> {
    const expired = isWindowOver(purchase, this.#deps.clock.now());
    const outcome = await this.#enquire(purchase);
    switch (outcome?.kind) {
      case "fulfilled":
      case "rejected":
        return this.#apply(purchase, outcome);
      case "recoverable": {
        // The provider knows every attempt, and none was fulfilled.
        const failed = { ...purchase, doubt: "NONE" } as const;
        if (expired) return this.#end(failed, (tx, now) => expire(tx, failed, now, false));
        return this.#apply(failed, outcome);
      }
      case "not-received":
        // The provider has said that it is booked: a replica that lags does not undo that.
        if (purchase.doubt === "BOOKED") return this.#stayUnknown(purchase, outcome);
        return expired ? this.#giveUp(purchase, isOver) : this.#resubmit(purchase, isOver);
      case "working":
      case "unreadable":
      case undefined:
        return this.#stayUnknown(purchase, outcome);
    }
  }

  /**
   * The provider did not say, is not done, or its answer cannot be read: it is asked again, and the
   * purchase is given up after a whole day.
   */
  async #stayUnknown(purchase: StoredPurchase, outcome: ProviderAnswer | undefined): Promise<void> {
    const counted = this.#timeAsked.count(subjectOf(purchase.transaction));
    const seen = { ...purchase, unknownFor_ms: purchase.unknownFor_ms + counted };
    if (isWindowOver(seen, this.#deps.clock.now()) && hasBeenAskedEnough(seen)) {
      return this.#end(purchase, (tx, now) => expire(tx, seen, now, true));
    }
    if (outcome?.kind === "working") return this.#apply(seen, outcome);
    const checkAgainAt = outcome?.kind === "unreadable" ? outcome.checkAgainAt : undefined;
    const isSent = seen.attemptState === "SENT";
    await writeAnswered(this.#deps, seen, outcome ?? NO_OUTCOME, (tx, now) => {
      // An attempt that is out is asked about at its deadline, whatever the answer to an inquiry.
      if (isSent) return wait(tx, seen, now);
      const nextAt = checkAgainAt ?? now + RETRY_INTERVAL_MS;
      return keepChecking(tx, seen, now, { checkAgainAt: nextAt, doubt: "LOST" });
    });
  }

  /** 24 h have passed and the provider has not received the attempt; while it still may, it is asked. */
  async #giveUp(purchase: StoredPurchase, isOver: boolean): Promise<void> {
    await writeFor(this.#deps, purchase, (tx, now) =>
      isOver
        ? expire(tx, purchase, now, purchase.doubt === "ACCEPTED")
        : lookOnceMore(tx, purchase, now),
    );
  }

  /**
   * The provider has not received the attempt, so it may be sent again. It may also still be under way:
   * where it is not sent again, nothing is final before its time is up (rules#purchase-late-arrival).
   */
  async #resubmit(purchase: StoredPurchase, isOver: boolean): Promise<void> {
    const { db, isQueueEnabled } = this.#deps;
    // A provider that accepts and then knows nothing, again and again, is treated as one that fails.
    const forgotten = purchase.attemptState === "WORKING" && purchase.attempts > 1;
    const queued = await isQueueEnabled(db, purchase.transaction);
    if (queued && !forgotten) return this.#submit(purchase, isOver);
    if (!isOver) return this.#rest(purchase);
    await this.#apply(purchase, { kind: "recoverable", message: "the provider never received it" });
  }

  /** Takes the answer to a submission. A refusal moves money only where nothing may be booked. */
  async #applySubmission(purchase: StoredPurchase, answer: ProviderAnswer): Promise<void> {
    if (answer.kind === "not-received" || answer.kind === "unreadable") {
      return this.#noteUnreadable(purchase, answer);
    }
    const { db, isQueueEnabled } = this.#deps;
    const mayBeBooked = answer.kind === "recoverable" && answer.mayBeBooked === true;
    const isDoubted = purchase.doubt !== "NONE" || mayBeBooked;
    const endsIt =
      answer.kind === "rejected" ||
      (answer.kind === "recoverable" && !(await isQueueEnabled(db, purchase.transaction)));
    if (isDoubted && endsIt) return this.#confirmRefusal(purchase, answer);
    return this.#apply(purchase, answer);
  }

  /** An earlier attempt may be booked: the provider is asked once more before its refusal counts. */
  async #confirmRefusal(purchase: StoredPurchase, refusal: ClearAnswer): Promise<void> {
    const outcome = await this.#enquire(purchase);
    const isDoubtful = purchase.doubt === "ACCEPTED" || purchase.doubt === "BOOKED";
    switch (outcome?.kind) {
      case "fulfilled":
      case "rejected":
      case "working":
        return this.#apply(purchase, outcome);
      case "recoverable":
        return this.#apply(purchase, refusal);
      case "not-received": {
        const isGuessed = refusal.kind === "rejected" && refusal.isGuessed === true;
        if (!isGuessed && purchase.doubt !== "BOOKED") {
          return this.#apply(purchase, refusal, isDoubtful);
        }
        break;
      }
      case "unreadable":
      case undefined:
        break;
    }
    await writeAnswered(this.#deps, purchase, refusal, (tx, now) =>
      keepChecking(tx, purchase, now, {
        checkAgainAt: now + QUESTION_INTERVAL_MS,
        doubt: "LOST",
      }),
    );
  }

  /** A submission's answer that cannot be read: its deadline, or the wait it asks for, is kept. */
  async #noteUnreadable(purchase: StoredPurchase, answer: ProviderAnswer): Promise<void> {
    const checkAgainAt = answer.kind === "unreadable" ? answer.checkAgainAt : undefined;
    await writeAnswered(this.#deps, purchase, answer, async (tx, now) => {
      if (checkAgainAt === undefined) return;
      await keepChecking(tx, purchase, now, { checkAgainAt, doubt: "LOST" });
    });
    if (checkAgainAt === undefined) await this.#claims?.noteUnanswered(purchase.transaction);
  }

  async #enquire(purchase: StoredPurchase): Promise<ProviderAnswer | undefined> {
    const supplier = await this.#deps.supplierOf(purchase.transaction);
    return supplier && enquire(supplier, purchase, this.#deps);
  }

  /** Writes what the provider said. */
  async #apply(purchase: StoredPurchase, answer: ClearAnswer, isDoubtful = false): Promise<void> {
    await recordAnswer(this.#deps, purchase, answer, isDoubtful);
    if (isLast(answer)) this.#timeAsked.forget(subjectOf(purchase.transaction));
  }

  /** Writes the end of a purchase: nothing about it has to be remembered any more. */
  async #end(purchase: StoredPurchase, work: (tx: Tx, now: number) => Promise<void>) {
    await writeFor(this.#deps, purchase, work);
    this.#timeAsked.forget(subjectOf(purchase.transaction));
  }
}

/** Queries a provider for the outcome of a purchase; undefined when it does not say. */
async function enquire(
  supplier: Supplier,
  purchase: StoredPurchase,
  { clock, log }: { clock: Clock; log: Log },
): Promise<ProviderAnswer | undefined> {
  try {
    return await withTimeout(clock, { timeout_ms: ENQUIRY_TIMEOUT_MS }, (signal) =>
      supplier.enquire(orderOf(purchase), signal),
    );
  } catch (error) {
    if (error instanceof TimeoutError) return undefined;
    const { transactionId } = purchase.transaction;
    log.warn({ err: error, transactionId }, "a provider did not answer a question");
    return undefined;
  }
}
