import type { Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Scenario, ScenarioOf } from "../../../providers/simulator/scenario.ts";
import {
  findTransaction,
  subjectOf,
  type TransactionRef,
  toTransactionRecord,
} from "../../books/transactions/index.ts";
import type { Verdict, Verifier } from "../../messages/webhooks/index.ts";
import { commitDecision } from "./commit-decision.ts";
import { decide } from "./decide.ts";
import type { PurchaseEvent } from "./decision.ts";
import { findPurchase, type StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";

interface PurchaseVerificationDeps {
  transactor: Transactor;
  clock: Clock;
  verifier: Verifier;
  scenarioOf?: ScenarioOf | undefined;
}

/**
 * Queries the shop's own system before money moves (rules#verification-asked-first). The purchase
 * waits in PENDING. The answer is written together with its consequences.
 */
export class PurchaseVerification {
  readonly #deps: PurchaseVerificationDeps;

  constructor(deps: PurchaseVerificationDeps) {
    this.#deps = deps;
  }

  /** Returns whether the shop's own system must allow the purchase, or has allowed it. */
  async needFor(tx: Tx, { transaction }: StoredPurchase): Promise<"NONE" | "WANTED" | "ALLOWED"> {
    const { verifier, scenarioOf } = this.#deps;
    if (scenarioOf?.(transaction)?.verification) return "WANTED";
    if (transaction.training || !(await verifier.hasEndpoint(tx, transaction))) return "NONE";
    const isAllowed =
      transaction.status === "PENDING" && (await verifier.hasAllowed(tx, transaction));
    return isAllowed ? "ALLOWED" : "WANTED";
  }

  /** Reads the shop's endpoint for `needFor` (`readAhead`). */
  async readAhead(tx: Tx, { transaction }: StoredPurchase): Promise<void> {
    if (!transaction.training) await this.#deps.verifier.hasEndpoint(tx, transaction);
  }

  /** Queries the shop's own system, or tries again soon if too many queries are pending. */
  async ask(purchase: StoredPurchase): Promise<void> {
    const { transactor, verifier, scenarioOf } = this.#deps;
    const { transaction } = purchase;
    const staged = scenarioOf?.(transaction)?.verification;
    if (staged) {
      await transactor.transact(transaction.accountId, (tx) => this.#stage(tx, purchase, staged));
      return;
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
  }

  async #open(tx: Tx, purchase: StoredPurchase, hasPlace: boolean): Promise<void> {
    const { clock, verifier } = this.#deps;
    const { transaction } = purchase;
    const now = clock.now();
    const isAsked = hasPlace || verifier.isUnderWay(transaction);
    await this.#write(tx, purchase, { kind: "verifying", isAsked, now });
    const waiting = await findTransaction(tx, transaction);
    if (waiting) await verifier.open(tx, transaction, toTransactionRecord(waiting), now);
  }

  /** Simulates a query: the next job writes the verdict that the scenario prescribes. */
  async #stage(
    tx: Tx,
    purchase: StoredPurchase,
    { verdict, after_ms }: NonNullable<Scenario["verification"]>,
  ): Promise<void> {
    const { transaction } = purchase;
    const now = this.#deps.clock.now();
    const decidedAt = transaction.createdAt + after_ms;
    if (now >= decidedAt) return this.#write(tx, purchase, { kind: "verified", verdict, now });
    await this.#write(tx, purchase, { kind: "verifying", isAsked: true, now });
    await enqueueJob(tx, {
      kind: ADVANCE_JOB,
      subject: subjectOf(transaction),
      runAt: decidedAt,
    });
  }

  async #settle(tx: Tx, ref: TransactionRef, verdict: Verdict): Promise<void> {
    const purchase = await findPurchase(tx, ref);
    const now = this.#deps.clock.now();
    if (purchase) await this.#write(tx, purchase, { kind: "verified", verdict, now });
  }

  async #write(tx: Tx, purchase: StoredPurchase, event: PurchaseEvent): Promise<void> {
    const { write } = decide(purchase, event);
    if (write) await commitDecision(tx, purchase, write, { now: event.now, sender: undefined });
  }
}
