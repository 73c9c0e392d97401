import { outcomeTime } from "../../../db/business-time.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import { addDeviations } from "../../../providers/deviation-store.ts";
import type { ProviderOf, RefundAnswer } from "../../../providers/provider.ts";
import {
  findTransaction,
  refOf,
  type StoredTransaction,
  subjectOf,
  type TransactionRef,
  transition,
} from "../../books/transactions/index.ts";
import { refund } from "../../books/wallet/index.ts";
import {
  findPurchases,
  hasBeenAskedEnough,
  orderOf,
  RETRY_INTERVAL_MS,
  RETRY_WINDOW_MS,
  SHORTEST_PAUSE_MS,
  TimeAsked,
} from "../purchases/index.ts";
import { announceRefund, returnPurchase } from "./refund-booking.ts";
import {
  findRefundedId,
  findUnknownFor,
  markRefundFailed,
  noteUnknownFor,
} from "./refund-store.ts";

/** Job that advances a refund. The job's subject names the refund's transaction. */
export const REFUND_JOB = "refund.advance";

export const NO_REFUND_ANSWER = "the provider did not answer";

/** The answer for a provider without refunds. */
const UNSUPPORTED: RefundAnswer = { kind: "refused", reason: "the provider has no refunds" };

const UNREADABLE_REFUND = "its answer cannot be read";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  providerOf: ProviderOf;
}

/**
 * Requests the refund of an order until the provider answers. A repeated request for the same order
 * is the same refund, so a lost answer does no harm.
 *
 *   ACCEPTED → IN_PROGRESS → DONE    the provider gives the cost back, booked with the status
 *                          → FAILED  the provider refuses; or 24 h have passed, including 24 h of
 *                                    running time (rules#refund-unknown-outcome): the owner must
 *                                    ask
 */
export class RefundEngine {
  readonly #deps: Deps;
  readonly #timeAsked: TimeAsked;

  constructor(deps: Deps) {
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
