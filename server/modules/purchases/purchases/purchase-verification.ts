import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import {
  findTransaction,
  subjectOf,
  type TransactionRef,
  toTransactionRecord,
  transition,
} from "../../books/transactions/index.ts";
import type { Verdict, Verifier } from "../../messages/webhooks/index.ts";
import { failure } from "./purchase-failures.ts";
import { findPurchase, type StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB, refuse } from "./purchase-transitions.ts";

/** A question without a recorded answer by then is asked again. */
const ASK_AGAIN_MS = 30 * SECOND;
const VERIFIER_FULL_MS = SECOND;

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  verifier: Verifier;
}

/**
 * Asks the shop's own system before money moves (rules#verification-asked-first): a purchase waits in
 * PENDING while it is asked. The engine does not wait for the answer; it is written together with what
 * follows from it.
 */
export class PurchaseVerification {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the shop's own system is asked about a purchase. */
  async asksAbout({ transaction }: StoredPurchase): Promise<boolean> {
    const { db, verifier } = this.#deps;
    return !transaction.training && (await verifier.hasEndpoint(db, transaction));
  }

  /** Whether a purchase that is asked about may go on now; where not, it is asked about, or is being asked about. */
  async admits(purchase: StoredPurchase): Promise<boolean> {
    const { db, transactor, verifier } = this.#deps;
    const { transaction } = purchase;
    if (transaction.status === "PENDING" && (await verifier.hasAllowed(db, transaction))) {
      return true;
    }
    const hasPlace = verifier.reserve(transaction);
    try {
      await transactor.transact(transaction.accountId, (tx) => this.#open(tx, purchase, hasPlace));
    } catch (error) {
      if (hasPlace) verifier.release(transaction);
      throw error;
    }
    if (hasPlace) {
      await verifier.query(transaction, (tx, verdict) => this.#settle(tx, transaction, verdict));
    }
    return false;
  }

  /** ACCEPTED → PENDING with the question and the job that asks it again: soon where it has no place. */
  async #open(tx: Tx, { transaction }: StoredPurchase, hasPlace: boolean): Promise<void> {
    const { clock, verifier } = this.#deps;
    const now = clock.now();
    if (transaction.status === "ACCEPTED") {
      const message = "Waiting for verification";
      await transition(tx, transaction, { from: "ACCEPTED", to: "PENDING", at: now, message });
    }
    const waiting = await findTransaction(tx, transaction);
    if (waiting) await verifier.open(tx, transaction, toTransactionRecord(waiting), now);
    const isAsked = hasPlace || verifier.isUnderWay(transaction);
    const pause_ms = isAsked ? ASK_AGAIN_MS : VERIFIER_FULL_MS;
    await this.#lookAgain(tx, transaction, now + pause_ms);
  }

  async #settle(tx: Tx, ref: TransactionRef, verdict: Verdict): Promise<void> {
    const now = this.#deps.clock.now();
    const purchase = await findPurchase(tx, ref);
    if (purchase?.transaction.status !== "PENDING") return;
    switch (verdict) {
      case "allowed":
        return this.#lookAgain(tx, ref, now);
      case "blocked":
        return refuse(
          tx,
          purchase,
          now,
          failure("VERIFICATION_BLOCKED", "The shop's own system does not allow it."),
        );
      case "unverified":
        return refuse(
          tx,
          purchase,
          now,
          failure("VERIFICATION_TIMEOUT", "The shop's own system did not verify it."),
        );
    }
  }

  #lookAgain(tx: Tx, ref: TransactionRef, runAt: number): Promise<void> {
    return enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(ref), runAt });
  }
}
