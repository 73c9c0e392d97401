import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import { EsimRefund } from "../../../contract/v1/esims.ts";
import { TransactionParams } from "../../../contract/v1/purchase-record.ts";
import { businessTime, outcomeTime } from "../../../db/business-time.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { markReturned } from "../../../db/returned-lines.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import { addDeviations } from "../../../providers/deviation-store.ts";
import type { ProviderOf, RefundAnswer } from "../../../providers/provider.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import {
  createTransaction,
  findTransaction,
  refOf,
  type StoredTransaction,
  subjectOf,
  type TransactionRef,
  toTransactionRecord,
  transition,
} from "../../books/transactions/index.ts";
import { refund } from "../../books/wallet/index.ts";
import { releaseLoss } from "../../catalog/prices/index.ts";
import { enqueueMessage } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import type { EsimService } from "../esims/index.ts";
import {
  findPurchases,
  hasBeenAskedEnough,
  orderOf,
  type PurchaseOf,
  type PurchaseService,
  RETRY_INTERVAL_MS,
  RETRY_WINDOW_MS,
  SHORTEST_PAUSE_MS,
  TimeAsked,
} from "../purchases/index.ts";
import {
  createRefund,
  findRefundedId,
  findRefundId,
  findUnknownFor,
  markRefundFailed,
  noteUnknownFor,
} from "./refund-store.ts";

export { findRefundedIds, listUnderRefund } from "./refund-store.ts";

/** Job that advances a refund. The job's subject names the refund's transaction. */
export const REFUND_JOB = "refund.advance";

export const NO_REFUND_ANSWER = "the provider did not answer";

/** The answer for a provider without refunds. */
const UNSUPPORTED: RefundAnswer = { kind: "refused", reason: "the provider has no refunds" };

const UNREADABLE_REFUND = "its answer cannot be read";

type RefundDeps = Base & { purchases: PurchaseService; esims: EsimService; providerOf: ProviderOf };

/**
 * Requests the refund of an order until the provider answers. A repeated request for the same order
 * is the same refund, so a lost answer does no harm.
 *
 *   ACCEPTED → IN_PROGRESS → DONE    the provider gives the cost back, booked with the status
 *                          → FAILED  the provider refuses; or 24 h have passed, including 24 h of
 *                                    running time (rules#refund-unknown-outcome): the owner must
 *                                    ask
 */
class RefundEngine {
  readonly #deps: RefundDeps;
  readonly #timeAsked: TimeAsked;

  constructor(deps: RefundDeps) {
    this.#deps = deps;
    this.#timeAsked = new TimeAsked(deps.clock);
  }

  async advance(subject: string): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    const ref = refOf(subject);
    const seen = await findTransaction(db, ref);
    if (!seen || seen.finishedAt !== undefined) return;
    if (seen.status === "ACCEPTED") {
      await transactor.transact(ref.accountId, (tx) =>
        transition(tx, seen, {
          from: "ACCEPTED",
          to: "IN_PROGRESS",
          at: clock.now(),
          message: "Submitted to the provider",
        }),
      );
      this.#timeAsked.begin(subject);
    }
    const refundedId = await findRefundedId(db, seen);
    if (refundedId === undefined) throw new Error(`${ref.transactionId} refunds nothing`);
    const refunded = { ...ref, transactionId: refundedId };
    const { answer, provider } = await this.#query(seen, refundedId);
    await transactor.transact(ref.accountId, async (tx) => {
      await this.#apply(tx, seen, { refunded, answer });
      if (answer.kind === "silent") return;
      const { accountId, environment, transactionId: reference } = ref;
      const what = { accountId, environment, provider, operation: "REFUND", reference } as const;
      await addDeviations(tx, { ...what, at: clock.now() }, answer.deviations ?? []);
    });
  }

  async #query(
    seen: StoredTransaction,
    refundedId: string,
  ): Promise<{ answer: RefundAnswer | Silence; provider: string | undefined }> {
    const { db, clock, log, providerOf } = this.#deps;
    const [purchase] = await findPurchases(db, seen, [refundedId]);
    const { accountId, environment } = seen;
    const providerId = purchase?.supply?.providerId;
    const connected = await providerOf({ accountId, environment, providerId });
    const provider = connected?.name;
    if (!purchase || !connected) {
      return { answer: { kind: "recoverable", message: "no provider is connected" }, provider };
    }
    try {
      const order = orderOf(purchase);
      const answer = await askInTime(
        clock,
        async (signal) => (await connected.refund?.(order, signal)) ?? UNSUPPORTED,
      );
      return { answer, provider };
    } catch (error) {
      log.warn({ err: error, transactionId: seen.transactionId }, "a refund got no answer");
      return { answer: { kind: "silent" }, provider };
    }
  }

  async #apply(
    tx: Tx,
    seen: StoredTransaction,
    { refunded, answer }: { refunded: TransactionRef; answer: RefundAnswer | Silence },
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const at = await outcomeTime(tx, seen, now);
    const end = { refunded, at };
    const isWindowOver = at + RETRY_INTERVAL_MS > seen.createdAt + RETRY_WINDOW_MS;
    switch (answer.kind) {
      case "refunded":
        await transition(tx, seen, { from: "IN_PROGRESS", to: "DONE", at, message: "Completed" });
        await refund(tx, { ...seen, at });
        await returnPurchase(tx, refunded, at);
        await announceRefund(tx, seen, { refundedTransactionId: refunded.transactionId, at });
        return cancelJob(tx, REFUND_JOB, subjectOf(seen));
      case "refused":
        // An unanswered request may have started the refund, which a lagging replica does not show.
        if (isFirstAfterSilence(seen)) return tryAgain(tx, seen, { at, now }, answer.reason);
        return fail(
          tx,
          seen,
          { refunded, at },
          {
            code: "REFUND_NOT_ALLOWED",
            message: `The provider refused the refund: ${answer.reason}.`,
            description: "Nothing was given back.",
          },
        );
      case "working": {
        if (await this.#isGivenUp(tx, seen, isWindowOver)) return expire(tx, seen, end);
        const pause = isWindowOver ? RETRY_INTERVAL_MS : SHORTEST_PAUSE_MS;
        const runAt = Math.max(answer.checkAgainAt, now + pause);
        return enqueueJob(tx, { kind: REFUND_JOB, subject: subjectOf(seen), runAt });
      }
      case "silent":
      case "unreadable":
      case "recoverable": {
        // This failure does not decide about earlier requests.
        if (await this.#isGivenUp(tx, seen, isWindowOver)) return expire(tx, seen, end);
        const why = answer.kind === "silent" ? NO_REFUND_ANSWER : answer.message;
        return tryAgain(tx, seen, { at, now }, why);
      }
    }
  }

  /** Returns whether the refund was unconfirmed for a whole day of running time. */
  async #isGivenUp(tx: Tx, seen: StoredTransaction, isWindowOver: boolean): Promise<boolean> {
    const before = await findUnknownFor(tx, seen);
    const unknownFor_ms = before + this.#timeAsked.count(subjectOf(seen));
    await noteUnknownFor(tx, seen, unknownFor_ms);
    return isWindowOver && hasBeenAskedEnough({ unknownFor_ms: unknownFor_ms + RETRY_INTERVAL_MS });
  }
}

/** Returns whether the previous request had no answer or an unreadable answer. */
function isFirstAfterSilence({ log }: StoredTransaction): boolean {
  const before = log.at(-1)?.message ?? "";
  return [NO_REFUND_ANSWER, UNREADABLE_REFUND].some((reason) => before.includes(reason));
}

/** The provider was unreachable, or did not decide about the request. */
interface Silence {
  kind: "silent";
}

/** @param time `at` in business time, `now` by the clock of the jobs */
async function tryAgain(
  tx: Tx,
  seen: StoredTransaction,
  { at, now }: { at: number; now: number },
  why: string,
): Promise<void> {
  const runAt = now + RETRY_INTERVAL_MS;
  await transition(tx, seen, {
    from: "IN_PROGRESS",
    to: "IN_PROGRESS",
    at,
    message: `Attempt failed: ${why}; next attempt at ${toTimestamp(runAt)}`,
  });
  await enqueueJob(tx, { kind: REFUND_JOB, subject: subjectOf(seen), runAt });
}

function expire(tx: Tx, seen: StoredTransaction, end: FailedRefund): Promise<void> {
  return fail(tx, seen, end, {
    code: "RETRY_WINDOW_EXPIRED",
    message: "The provider did not confirm the refund within 24 hours.",
    description: "Nothing was given back here. Ask the provider whether it gave it back.",
    needsReconciliation: true,
  });
}

interface FailedRefund {
  refunded: TransactionRef;
  at: number;
}

async function fail(
  tx: Tx,
  seen: StoredTransaction,
  { refunded, at }: FailedRefund,
  {
    needsReconciliation = false,
    ...error
  }: NonNullable<StoredTransaction["error"]> & { needsReconciliation?: boolean },
): Promise<void> {
  const { message } = error;
  const step = { from: "IN_PROGRESS", to: "FAILED", at, message, error } as const;
  await transition(tx, seen, { ...step, needsReconciliation });
  await markRefundFailed(tx, seen);
  await announceRefund(tx, seen, { refundedTransactionId: refunded.transactionId, at });
  await cancelJob(tx, REFUND_JOB, subjectOf(seen));
}

/** rules#refund-conditions */
const REFUNDABLE_MS = 30 * DAY;

/** Each refund of an eSIM is a CREDIT transaction (rules#refund-credit). */
export class RefundService {
  readonly #deps: RefundDeps;

  constructor(deps: RefundDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a refund, which the engine carries out. Records a person's request in the audit trail.
   * @throws Problem NOT_FOUND, REFUND_NOT_ALLOWED with the reason, SYSTEM_UNAVAILABLE if the
   * provider cannot say whether the eSIM has been used
   */
  async request(author: ScopedAuthor, transactionId: string): Promise<StoredTransaction> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    const { transactor, clock, ids, purchases } = this.#deps;
    const purchase = await purchases.get(scope, "ESIM", transactionId);
    if (await findRefundId(this.#deps.db, scope, transactionId)) await this.#refuseSecond(purchase);
    await this.#check(scope, purchase);
    const ref = { ...scope, transactionId: ids.uuid() };
    return transactor.transact(accountId, async (tx) => {
      const at = await businessTime(tx, scope, clock.now());
      const { amount } = purchase.transaction;
      const unit = purchase.transaction;
      const what = { type: "CREDIT", productType: "REFUND" } as const;
      await createTransaction(tx, { ...ref, ...what, amount, unit, at });
      const first = await createRefund(tx, { ...ref, refundedTransactionId: transactionId });
      if (!first) throw notAllowed("it has been refunded, or is being refunded");
      await enqueueJob(tx, { kind: REFUND_JOB, subject: subjectOf(ref), runAt: clock.now() });
      if (staffId !== undefined) {
        const { currency, currencyDivisor } = unit;
        const detail = { amount, currency, currencyDivisor, environment };
        const subject = `${environment}/${transactionId}`;
        await recordAudit(tx, { accountId, staffId, action: "esim.refund", subject, detail, at });
      }
      return getTransaction(tx, ref);
    });
  }

  /** @throws Problem NOT_FOUND if there is no such purchase, or no refund of the purchase */
  async get(scope: Scope, transactionId: string): Promise<StoredTransaction> {
    const { db, purchases } = this.#deps;
    await purchases.get(scope, "ESIM", transactionId);
    const refundId = await findRefundId(db, scope, transactionId);
    if (refundId === undefined) {
      throw new Problem("NOT_FOUND", `The purchase ${transactionId} has no refund.`);
    }
    return getTransaction(db, { ...scope, transactionId: refundId });
  }

  async #refuseSecond(purchase: PurchaseOf<"ESIM">): Promise<void> {
    const { transaction } = purchase;
    const refund = await this.get(transaction, transaction.transactionId);
    if (refund.status !== "FAILED") throw notAllowed("it has been refunded, or is being refunded");
  }

  async #check(scope: Scope, { transaction, fulfilment }: PurchaseOf<"ESIM">): Promise<void> {
    const { status, finishedAt } = transaction;
    if (status !== "DONE" || finishedAt === undefined) throw notAllowed("it is not done");
    const age = this.#deps.clock.now() - finishedAt;
    if (age > REFUNDABLE_MS) throw notAllowed("it is older than 30 days");
    const { iccid = "" } = fulfilment?.esim ?? {};
    // Without an ICCID, only the provider can decide.
    if (iccid === "") return;
    const { decided } = await this.#deps.esims.readUsage(scope, iccid);
    if (decided?.firstInstalledAt !== undefined) {
      throw notAllowed("the eSIM has been installed");
    }
    // Some providers do not report the time of the installation.
    if (decided?.isPlanUsed) throw notAllowed("a plan of the eSIM has been used");
  }
}

function notAllowed(reason: string): Problem {
  return new Problem("REFUND_NOT_ALLOWED", `The purchase cannot be refunded: ${reason}.`);
}

async function getTransaction(
  db: Db | Tx,
  ref: Parameters<typeof findTransaction>[1],
): Promise<StoredTransaction> {
  const found = await findTransaction(db, ref);
  if (!found) throw new Error(`the refund ${ref.transactionId} has no transaction`);
  return found;
}

export function createRefundsModule(deps: RefundDeps) {
  const refunds = new RefundService(deps);
  const engine = new RefundEngine(deps);
  return {
    services: { refunds },
    jobs: [{ kind: REFUND_JOB, run: (subject) => engine.advance(subject), laneOf: laneOfSubject }],
    v1: (app) => registerRefundRoutes(app, refunds),
  } satisfies Module;
}

const tags = ["eSIM"];
const PATH = "/esim/purchases/:transactionId/refund";

/** Registers `/esim/purchases/{transactionId}/refund` (rules#refund-credit). */
function registerRefundRoutes(app: App, refunds: RefundService): void {
  app.post(
    PATH,
    {
      schema: {
        operationId: "createEsimRefund",
        summary: "Refund an eSIM purchase",
        description:
          "Once, when the purchase is DONE, not installed and no older than 30 days. Poll the refund until it is DONE or FAILED.",
        tags,
        params: TransactionParams,
        response: answers(EsimRefund, ["REFUND_NOT_ALLOWED"]),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      const refund = await refunds.request(clientOf(request), transactionId);
      return toRefundRecord(refund, transactionId);
    },
  );

  app.get(
    PATH,
    {
      schema: {
        operationId: "getEsimRefund",
        summary: "Get the refund of an eSIM purchase",
        tags,
        params: TransactionParams,
        response: answers(EsimRefund),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return toRefundRecord(await refunds.get(clientOf(request), transactionId), transactionId);
    },
  );
}

/**
 * Books a refund that the provider made although it failed in the gateway. Creates a new, completed
 * refund, so that the purchase cannot be refunded again.
 * @throws Problem REFUND_NOT_ALLOWED if another refund of the purchase is in progress or done
 */
export async function bookRefund(
  tx: Tx,
  failed: StoredTransaction,
  { transactionId, at }: { transactionId: string; at: number },
): Promise<void> {
  const { accountId, environment, amount } = failed;
  const ref = { accountId, environment, transactionId };
  const refundedTransactionId = await findRefundedId(tx, failed);
  if (refundedTransactionId === undefined) {
    throw new Error(`${failed.transactionId} refunds nothing`);
  }
  const what = { type: "CREDIT", productType: "REFUND" } as const;
  await createTransaction(tx, { ...ref, ...what, amount, unit: failed, at });
  if (!(await createRefund(tx, { ...ref, refundedTransactionId }))) {
    throw new Problem(
      "REFUND_NOT_ALLOWED",
      `Another refund of ${refundedTransactionId} is done or under way, and gives the same money back. When it is done, settle this one as not-delivered. Nothing was changed.`,
    );
  }
  await transition(tx, ref, { from: "ACCEPTED", to: "DONE", at, message: "Completed" });
  await refund(tx, { ...ref, amount, at });
  await returnPurchase(tx, { accountId, environment, transactionId: refundedTransactionId }, at);
  await announceRefund(tx, ref, { refundedTransactionId, at });
}

/** Sends a finished refund to the webhooks as GET returns it. */
async function announceRefund(
  tx: Tx,
  ref: TransactionRef,
  { refundedTransactionId, at }: { refundedTransactionId: string; at: number },
): Promise<void> {
  const { accountId, environment, transactionId: subject } = ref;
  const message = { accountId, environment, kind: "REFUND", subject, at } as const;
  await enqueueMessage(tx, message, async () => {
    const refund = await findTransaction(tx, ref);
    return refund && toRefundRecord(refund, refundedTransactionId);
  });
}

function toRefundRecord(stored: StoredTransaction, refundedTransactionId: string) {
  const record = toTransactionRecord(stored);
  return { ...record, productType: "REFUND" as const, refundedTransactionId };
}

/**
 * Adds the purchase's loss back to the loss budget (rules#price-last-guard), and marks the
 * purchase's line at the till as no longer sold (rules#refund-returns-line).
 */
async function returnPurchase(tx: Tx, refunded: TransactionRef, at: number): Promise<void> {
  await releaseLoss(tx, refunded);
  await markReturned(tx, refunded, at);
  // Makes the tills reload the sale.
  await recordChange(tx, refunded, { topic: "purchase", subject: refunded.transactionId, at });
}
