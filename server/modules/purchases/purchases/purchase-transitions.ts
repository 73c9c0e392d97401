import { FAMILIES } from "../../../contract/pos/families.ts";
import type { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import { outcomeTime } from "../../../db/business-time.ts";
import type { Tx } from "../../../db/database.ts";
import type { Doubt } from "../../../db/tables/transactions.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import {
  afterSteps,
  type StoredTransaction,
  subjectOf,
  type Transition,
  transition,
} from "../../books/transactions/index.ts";
import { capture, hold, InsufficientFunds, release } from "../../books/wallet/index.ts";
import { releaseLoss } from "../../catalog/prices/index.ts";
import { enqueueResult } from "../../messages/webhooks/index.ts";
import { recordEsim } from "../esims/index.ts";
import { toRecord } from "./families/index.ts";
import { failure, insufficientFunds } from "./purchase-failures.ts";
import { findPurchase, type StoredPurchase } from "./purchase-store.ts";
import { updateAttempt, updateNextAttempt } from "./purchase-writes.ts";
import {
  followsProvider,
  nextAttemptAfter,
  RETRY_INTERVAL_MS,
  SHORTEST_PAUSE_MS,
  strongerDoubt,
  windowEnd,
} from "./retry-policy.ts";
import { SENDING_MS } from "./sending-claims.ts";
import { QUESTION_INTERVAL_MS } from "./time-asked.ts";

/** The job that takes a purchase to its next state; its subject names the transaction. */
export const ADVANCE_JOB = "purchase.advance";

/**
 * ACCEPTED or PENDING → AUTHORIZED with the hold, and on to IN_PROGRESS with the first attempt where
 * none was ever begun; or → FAILED where the wallet is short. What is sold in training holds nothing,
 * and so is neither captured nor released.
 * @param sender see `beginAttempt`
 * @returns the purchase with its money held; undefined where the wallet was short
 */
export async function authorize(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  sender: string | undefined,
): Promise<StoredPurchase | undefined> {
  const { transaction } = purchase;
  const from = transaction.status;
  const at = await outcomeTime(tx, transaction, now);
  try {
    if (!transaction.training) await hold(tx, movementOf(purchase, at));
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    const reason = insufficientFunds(error, transaction);
    await transition(tx, transaction, {
      from,
      to: "FAILED",
      at,
      message: reason.message,
      error: reason,
      errorFigures: { shortBy: error.shortBy, available: error.available },
      // Taken up from a backup, it may have been sent and delivered since.
      needsReconciliation: purchase.attemptState !== "NONE",
    });
    await concludeFailed(tx, transaction, now);
    return undefined;
  }
  const authorized = { from, to: "AUTHORIZED", at: now, message: "Wallet authorized" } as const;
  if (purchase.attemptState === "NONE") {
    return beginAttempt(tx, purchase, now, { sender, authorized });
  }
  await transition(tx, transaction, authorized);
  return { ...purchase, transaction: afterSteps(transaction, [authorized]) };
}

/** ACCEPTED or PENDING → FAILED before any money was held. */
export async function refuse(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  reason: TransactionError,
): Promise<void> {
  const { transaction } = purchase;
  await transition(tx, transaction, {
    from: transaction.status,
    to: "FAILED",
    at: await outcomeTime(tx, transaction, now),
    message: reason.message,
    error: reason,
  });
  await concludeFailed(tx, transaction, now);
}

/** AUTHORIZED → IN_PROGRESS for a purchase out of a backup: it may have been sent since. */
export async function takeUp(tx: Tx, purchase: StoredPurchase, now: number): Promise<void> {
  await transition(tx, purchase.transaction, {
    from: "AUTHORIZED",
    to: "IN_PROGRESS",
    at: now,
    message: "Restored from a backup: the provider is asked what became of it",
  });
}

/**
 * Notes that attempt `attempts + 1` is about to be sent, before it is: AUTHORIZED → IN_PROGRESS for
 * the first. The deadline for its answer is the job. Where several processes have the database, the job
 * looks sooner whether the sender still lives.
 * @param how `sender`: the process that sends it, undefined where one has the database for itself;
 *   `authorized`: the step to AUTHORIZED, where it is made together with this
 * @returns the purchase with its attempt
 */
export async function beginAttempt(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  { sender, authorized }: { sender: string | undefined; authorized?: Transition },
): Promise<StoredPurchase> {
  const { transaction } = purchase;
  const steps = authorized ? [authorized] : [];
  if (authorized || transaction.status === "AUTHORIZED") {
    const message = "Submitted for fulfillment";
    steps.push({ from: "AUTHORIZED", to: "IN_PROGRESS", at: now, message });
  }
  const [first, ...others] = steps;
  if (first) await transition(tx, transaction, first, ...others);
  const isUnanswered = ["SENT", "WORKING"].includes(purchase.attemptState);
  const attempt = {
    attempts: purchase.attempts + 1,
    attemptState: "SENT",
    nextAttemptAt: nextAttemptAfter(purchase, now),
    unknownFor_ms: 0,
    doubt: isUnanswered ? strongerDoubt(purchase, "LOST") : purchase.doubt,
  } as const;
  await updateAttempt(tx, purchase, { ...attempt, sender });
  const subject = subjectOf(transaction);
  const runAt = lookAt(attempt.nextAttemptAt, now, sender);
  await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt });
  return { ...purchase, ...attempt, transaction: afterSteps(transaction, steps) };
}

/** IN_PROGRESS → IN_PROGRESS: the attempt failed recoverably (FAILED) or got no answer (SENT). */
export async function postpone(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  attempt: {
    reason: string;
    state: "FAILED" | "SENT";
    retryAfter_ms?: number | undefined;
    doubt?: Doubt;
  },
): Promise<void> {
  const { transaction } = purchase;
  const { retryAfter_ms } = attempt;
  const nextAttemptAt = followsProvider(purchase, retryAfter_ms)
    ? Math.max(Math.min(now + retryAfter_ms, windowEnd(purchase)), now + SHORTEST_PAUSE_MS)
    : nextAttemptAfter(purchase, now);
  const isLost = attempt.state === "SENT";
  const doubt = attempt.doubt ?? (isLost ? strongerDoubt(purchase, "LOST") : purchase.doubt);
  // An attempt without an answer is followed at once by the next, which begins with a question.
  const announcedAt = attempt.state === "SENT" ? now : nextAttemptAt;
  await transition(tx, transaction, {
    from: "IN_PROGRESS",
    to: "IN_PROGRESS",
    at: now,
    message: `Attempt ${purchase.attempts} failed: ${attempt.reason}; next attempt at ${toTimestamp(announcedAt)}`,
  });
  await updateAttempt(tx, purchase, { attemptState: attempt.state, nextAttemptAt, doubt });
  await enqueueJob(tx, {
    kind: ADVANCE_JOB,
    subject: subjectOf(transaction),
    runAt: nextAttemptAt,
  });
}

/**
 * Nothing new is known: look again when the next attempt is due.
 * @param sender who sends the attempt meanwhile, where others are to take it up should that process end
 */
export async function wait(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  sender?: string,
): Promise<void> {
  const nextAttemptAt = nextAttemptAfter(purchase, now);
  await updateNextAttempt(tx, purchase, nextAttemptAt);
  const subject = subjectOf(purchase.transaction);
  const runAt = lookAt(nextAttemptAt, now, sender);
  await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt });
}

/** When to look at an attempt that is being sent: at its deadline, or when its sender's claim would be over. */
function lookAt(deadline: number, now: number, sender: string | undefined): number {
  return sender === undefined ? deadline : Math.min(deadline, now + SENDING_MS);
}

/** Another process sends the attempt: look again when its claim would be over. */
export async function waitForSender(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  endsIn_ms: number,
): Promise<void> {
  const subject = subjectOf(purchase.transaction);
  const runAt = now + Math.max(endsIn_ms, SHORTEST_PAUSE_MS);
  await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt });
}

/** Nothing is final yet, though the window is over: look when the attempt's time is up. */
export async function lookOnceMore(tx: Tx, purchase: StoredPurchase, now: number): Promise<void> {
  const due = purchase.nextAttemptAt ?? now;
  const nextAttemptAt = due > now ? due : now + RETRY_INTERVAL_MS;
  await updateAttempt(tx, purchase, { nextAttemptAt });
  const subject = subjectOf(purchase.transaction);
  await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt: nextAttemptAt });
}

/**
 * The provider has it and is not done, or may have it: ask again at `checkAgainAt`, past the window
 * every 15 minutes.
 */
export async function keepChecking(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  { checkAgainAt, doubt }: { checkAgainAt: number; doubt: Doubt },
): Promise<void> {
  const { unknownFor_ms } = purchase;
  const end = windowEnd(purchase);
  const runAt =
    end > now
      ? Math.min(Math.max(checkAgainAt, now + SHORTEST_PAUSE_MS), end)
      : now + QUESTION_INTERVAL_MS;
  await updateAttempt(tx, purchase, {
    attemptState: "WORKING",
    unknownFor_ms,
    doubt: strongerDoubt(purchase, doubt),
    ...(end <= now && { nextAttemptAt: runAt }),
  });
  await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(purchase.transaction), runAt });
}

/** IN_PROGRESS → DONE: the hold is captured. */
export async function complete(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  fulfilment: Fulfilment,
): Promise<void> {
  const { transaction } = purchase;
  const at = await outcomeTime(tx, transaction, now);
  await transition(tx, transaction, {
    from: "IN_PROGRESS",
    to: "DONE",
    at,
    message: "Completed",
  });
  if (!transaction.training) await capture(tx, movementOf(purchase, at));
  await updateAttempt(tx, purchase, { fulfilment, finishedAt: at, nextAttemptAt: null });
  const { iccid = "" } = fulfilment.esim ?? {};
  if (iccid !== "") {
    const { transactionId } = transaction;
    await recordEsim(tx, transaction, { iccid, transactionId, at });
  }
  await conclude(tx, transaction, now);
}

/** IN_PROGRESS → FAILED: the hold is released. */
export async function fail(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  reason: TransactionError,
  needsReconciliation = false,
): Promise<void> {
  const { transaction } = purchase;
  const at = await outcomeTime(tx, transaction, now);
  await transition(tx, transaction, {
    from: "IN_PROGRESS",
    to: "FAILED",
    at,
    message: reason.message,
    error: reason,
    needsReconciliation: needsReconciliation && !transaction.training,
  });
  if (!transaction.training) await release(tx, movementOf(purchase, at));
  await updateAttempt(tx, purchase, { nextAttemptAt: null });
  await concludeFailed(tx, transaction, now);
}

/** IN_PROGRESS → FAILED: 24 h have passed; flagged when the provider may have delivered. */
export async function expire(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
  outcomeUnknown: boolean,
): Promise<void> {
  const message = outcomeUnknown
    ? "Not confirmed within 24 hours; the outcome is unknown."
    : "Not delivered within 24 hours.";
  await fail(tx, purchase, now, failure("RETRY_WINDOW_EXPIRED", message), outcomeUnknown);
}

/** Ends a failed purchase and gives its loss back to the budget of its price rule. */
async function concludeFailed(tx: Tx, transaction: StoredTransaction, now: number): Promise<void> {
  if (!transaction.training) await releaseLoss(tx, transaction);
  await conclude(tx, transaction, now);
}

/** A purchase has ended: only its webhooks are left to write (rules#webhook-outbox). */
async function conclude(tx: Tx, transaction: StoredTransaction, now: number): Promise<void> {
  await cancelJob(tx, ADVANCE_JOB, subjectOf(transaction));
  if (transaction.training) return;
  const { accountId, environment, transactionId } = transaction;
  const kind = FAMILIES.find((family) => family === transaction.productType);
  if (!kind) return;
  const result = { accountId, environment, transactionId, kind, at: now };
  await enqueueResult(tx, result, async () => {
    const ended = await findPurchase(tx, transaction);
    return ended && toRecord(ended);
  });
}

function movementOf(purchase: StoredPurchase, now: number) {
  const { accountId, environment, transactionId, amount } = purchase.transaction;
  return { accountId, environment, transactionId, amount, at: now };
}
