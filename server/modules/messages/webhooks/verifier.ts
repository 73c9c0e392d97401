import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { encodeSubject } from "../../../jobs/job-subject.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { type AttemptRef, beginAttempt, endAttempt } from "./attempt-store.ts";
import { createDelivery, type Delivery, listDeliveries, updateDelivery } from "./delivery-store.ts";
import {
  clearFailures,
  type Endpoint,
  findEndpoint,
  listEndpointsOfKind,
  noteFailure,
} from "./endpoint-store.ts";
import { alertOwner, type RecordAudit } from "./owner-alert.ts";
import type { UnderWay } from "./under-way.ts";
import { describeFailure } from "./webhook-dispatcher.ts";
import { type Attempt, isTaken, type WebhookSender } from "./webhook-sender.ts";

/** The answer of the shop's own system about a transaction (rules#verification-asked-first). */
export type Verdict = "allowed" | "blocked" | "unverified";

interface TransactionRef extends Scope {
  transactionId: string;
}

/** A question without an answer after this long blocks as unverified (rules#verification-asked-first). */
const VERIFICATION_TIMEOUT_MS = 20 * SECOND;
const CONCURRENT_QUESTIONS = 64;
const NOT_FOUND = 404;

interface Question {
  verifier: Endpoint;
  delivery: Delivery;
}

interface Begun extends Question {
  attempt: AttemptRef;
}

interface VerifierDeps {
  underWay: UnderWay;
  transactor: Transactor;
  clock: Clock;
  sender: WebhookSender;
  recordAudit: RecordAudit;
}

/**
 * Asks the shop's own system about transactions before money moves: a webhook of kind TRANSACTION.
 * 2xx allows, 404 blocks, anything else or silence blocks as unverified. A question is written
 * before it is asked and has one id; without an answer on the disk it is asked again.
 */
export class Verifier {
  readonly #deps: VerifierDeps;
  readonly #underWay = new Set<string>();

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  /** Whether a verification webhook is registered in this environment. */
  async hasEndpoint(db: Db | Tx, scope: Scope): Promise<boolean> {
    return (await this.#findVerifier(db, scope)) !== undefined;
  }

  /** Whether a transaction has been allowed, by the one who is to be asked now. */
  async hasAllowed(db: Db | Tx, ref: TransactionRef): Promise<boolean> {
    return (await this.#findQuestion(db, ref))?.delivery.state === "DELIVERED";
  }

  isUnderWay(ref: TransactionRef): boolean {
    return this.#underWay.has(encodeSubject(ref, ref.transactionId));
  }

  /**
   * Takes one of the places for questions that are asked at once; `query` or `release` gives it back.
   * @returns false where all are taken, or this question is being asked already
   */
  reserve(ref: TransactionRef): boolean {
    if (this.#underWay.size >= CONCURRENT_QUESTIONS || this.isUnderWay(ref)) return false;
    this.#underWay.add(encodeSubject(ref, ref.transactionId));
    return true;
  }

  release(ref: TransactionRef): void {
    this.#underWay.delete(encodeSubject(ref, ref.transactionId));
  }

  /** Writes a question down, once; `record` is the generic transaction (rules#record-generic-transaction). */
  async open(tx: Tx, ref: TransactionRef, record: object, at: number): Promise<void> {
    const verifier = await this.#findVerifier(tx, ref);
    if (!verifier) return;
    const { transactionId } = ref;
    const body = JSON.stringify(record);
    await createDelivery(tx, verifier, { transactionId, body, at, nextAttemptAt: null });
  }

  /**
   * Begins to ask a question that is open and has a place (`reserve`). The answer is written together with what follows from
   * it: `settle` is called in the same transaction.
   */
  async query(
    ref: TransactionRef,
    settle: (tx: Tx, verdict: Verdict) => Promise<void>,
  ): Promise<void> {
    const { transactor, sender } = this.#deps;
    try {
      const question = await transactor.transact(ref.accountId, (tx) => this.#begin(tx, ref));
      if (question) {
        sender.begin(() => this.#carryOut(question, settle).finally(() => this.release(ref)));
      } else this.release(ref);
    } catch (error) {
      this.release(ref);
      throw error;
    }
  }

  /** Writes down that an open question is about to be asked. */
  async #begin(tx: Tx, ref: TransactionRef): Promise<Begun | undefined> {
    const question = await this.#findQuestion(tx, ref);
    // Another process may be asking it.
    if (!question || !(await this.#deps.underWay.begin(tx, question.delivery))) return undefined;
    const attempt = await beginAttempt(tx, question.delivery, this.#deps.clock.now());
    return { ...question, attempt };
  }

  async #carryOut(
    { verifier, delivery, attempt: attemptRef }: Begun,
    settle: (tx: Tx, verdict: Verdict) => Promise<void>,
  ): Promise<void> {
    const { transactor, sender, underWay } = this.#deps;
    if (!(await underWay.has(delivery))) return;
    const message = { id: delivery.deliveryId, body: delivery.body };
    const attempt = await sender.post(verifier, message, VERIFICATION_TIMEOUT_MS);
    if (!attempt) return;
    await transactor.transact(delivery.accountId, async (tx) => {
      // A verifier that was removed while being asked no longer counts; another is asked, or none.
      if (!(await findEndpoint(tx, delivery))) return;
      const verdict = verdictOf(attempt);
      await endAttempt(tx, attemptRef, attempt);
      // Where another process asks it by now, that one's answer counts.
      if (!(await underWay.end(tx, delivery))) return;
      await this.#record(tx, delivery, attempt, verdict);
      await settle(tx, verdict);
    });
  }

  async #record(tx: Tx, delivery: Delivery, attempt: Attempt, verdict: Verdict): Promise<void> {
    const state = verdict === "unverified" ? "FAILED" : "DELIVERED";
    await updateDelivery(tx, delivery, { state, failures: 0, nextAttemptAt: null });
    if (verdict !== "unverified") return clearFailures(tx, delivery);
    const at = attempt.endedAt;
    const reason = describeFailure(attempt);
    await noteFailure(tx, delivery, { at, reason });
    const subject = delivery.transactionId;
    const alert = { action: "webhook.unverified", subject, reason, at } as const;
    await alertOwner(tx, this.#deps.recordAudit, { ...delivery, ...alert });
  }

  async #findVerifier(db: Db | Tx, scope: Scope): Promise<Endpoint | undefined> {
    return (await listEndpointsOfKind(db, scope, "TRANSACTION"))[0];
  }

  async #findQuestion(db: Db | Tx, ref: TransactionRef): Promise<Question | undefined> {
    const verifier = await this.#findVerifier(db, ref);
    if (!verifier) return undefined;
    const { environment, endpointId } = verifier;
    const filter = { environment, endpointId, transactionId: ref.transactionId };
    const found = await listDeliveries(db, ref.accountId, filter, { limit: 1, offset: 0 });
    const [delivery] = found.list;
    return delivery && { verifier, delivery };
  }
}

function verdictOf(attempt: Attempt): Verdict {
  if (isTaken(attempt)) return "allowed";
  return attempt.status === NOT_FOUND ? "blocked" : "unverified";
}
