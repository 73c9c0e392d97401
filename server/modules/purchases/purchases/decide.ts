import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { Doubt } from "../../../db/tables/transactions.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { ProviderAnswer } from "../../../providers/provider.ts";
import type { Verdict } from "../../messages/webhooks/index.ts";
import type { Decision, EventOf, PurchaseEvent, Step, Write } from "./decision.ts";
import { failure } from "./decision.ts";
import { expire, fail, failedBrand, failFromBackup, failRefused, moveAfter } from "./refusals.ts";
import {
  ASK_AGAIN_MS,
  countAttempts,
  followsProvider,
  hasBeenAskedEnough,
  isWindowOver,
  NO_ANSWER,
  nextAttemptAfter,
  type PurchaseState,
  QUESTION_INTERVAL_MS,
  RETRY_INTERVAL_MS,
  SHORTEST_PAUSE_MS,
  strongerDoubt,
  VERIFIER_FULL_MS,
  wasOverlooked,
  windowEnd,
} from "./retry-policy.ts";

/*
 * Every decision about a purchase, without database, clock or network (rules#purchase-states). The
 * engine passes events in and executes the decisions. For every sequence of events
 * (decide.search.test.ts):
 * - A hold is captured or released once.
 * - A purchase with an unknown outcome is never resubmitted (rules#purchase-unknown-outcome).
 * - At most one provider can have the order (rules#purchase-moves).
 * - A timeout alone never ends a purchase that was sent (rules#purchase-clock-decides-nothing).
 */

type ClearAnswer = Exclude<ProviderAnswer, { kind: "not-received" | "unreadable" }>;

const REST: Decision = { next: { do: "rest" } };

/** An event that cannot occur in the purchase's state changes nothing. Times are milliseconds. */
export function decide(purchase: PurchaseState, event: PurchaseEvent): Decision {
  switch (purchase.transaction.status) {
    case "ACCEPTED":
    case "PENDING":
      return decideBeforeHold(purchase, event);
    case "AUTHORIZED":
      return event.kind === "due" ? begin(purchase, event.now) : REST;
    case "IN_PROGRESS":
      return decideInProgress(purchase, event);
    case "DONE":
    case "FAILED":
      return REST;
  }
}

function decideBeforeHold(purchase: PurchaseState, event: PurchaseEvent): Decision {
  switch (event.kind) {
    case "started":
      if (event.obstacle) return refuse(purchase, event.obstacle);
      if (event.brand === "PAUSED") return waitForBrand(purchase, event.now);
      return { next: { do: event.verification === "WANTED" ? "verify" : "hold" } };
    case "verifying":
      return {
        write: {
          steps: pend(purchase, "Waiting for verification"),
          lookAt: event.now + (event.isAsked ? ASK_AGAIN_MS : VERIFIER_FULL_MS),
        },
        next: { do: "rest" },
      };
    case "verified":
      return decideVerdict(purchase, event.verdict, event.now);
    case "funds-held": {
      const message = event.moved ? `${event.moved}. Wallet authorized` : "Wallet authorized";
      const held = { to: "AUTHORIZED", message } as const;
      if (purchase.attemptState === "NONE") return submit(purchase, event.now, [held]);
      return { write: { steps: [held] }, next: { do: "look" } };
    }
    case "funds-short":
      return refuse(purchase, event.reason, { errorFigures: event.figures });
    default:
      return REST;
  }
}

function decideVerdict(purchase: PurchaseState, verdict: Verdict, now: number): Decision {
  if (purchase.transaction.status !== "PENDING") return REST;
  switch (verdict) {
    case "allowed":
      return { write: { steps: [], lookAt: now }, next: { do: "rest" } };
    case "blocked":
      return refuse(
        purchase,
        failure("VERIFICATION_BLOCKED", "The shop's own system does not allow it."),
      );
    case "unverified":
      return refuse(
        purchase,
        failure("VERIFICATION_TIMEOUT", "The shop's own system did not verify it."),
      );
  }
}

/** Waits until the brand resumes, for at most 24 hours. */
function waitForBrand(purchase: PurchaseState, now: number): Decision {
  const end = windowEnd(purchase);
  if (now < end) {
    const steps = pend(purchase, "Waiting: provider paused");
    return { write: { steps, lookAt: end }, next: { do: "rest" } };
  }
  return refuse(purchase, {
    code: "RETRY_WINDOW_EXPIRED",
    message: "The provider was paused for 24 hours.",
    description: "It was not delivered within 24 hours. Nothing was charged.",
  });
}

function pend({ transaction }: PurchaseState, message: string): Step[] {
  return transaction.status === "ACCEPTED" ? [{ to: "PENDING", message }] : [];
}

/**
 * Fails a purchase for which no money is held. Flags a purchase from a backup, because the provider
 * may have delivered after the backup.
 */
function refuse(
  { attemptState, transaction }: PurchaseState,
  error: TransactionError,
  more: Pick<Step, "errorFigures"> = {},
): Decision {
  const needsReconciliation = attemptState !== "NONE" && !transaction.training;
  const step = {
    to: "FAILED",
    message: error.message,
    error,
    needsReconciliation,
    ...more,
  } as const;
  return { write: { steps: [step] }, next: { do: "rest" } };
}

/** Sends the first attempt, or queries the status of a purchase from a backup. */
function begin(purchase: PurchaseState, now: number): Decision {
  if (purchase.attemptState === "NONE") return submit(purchase, now);
  const message = "Restored from a backup: the provider is asked what became of it";
  return { write: { steps: [{ to: "IN_PROGRESS", message }] }, next: { do: "look" } };
}

function decideInProgress(purchase: PurchaseState, event: PurchaseEvent): Decision {
  switch (event.kind) {
    case "due":
      return followUp(purchase, event);
    case "answered":
      return purchase.attemptState === "SENT" ? takeAnswer(purchase, event) : REST;
    case "inquired":
      return takeOutcome(purchase, event);
    case "confirmed":
      return purchase.attemptState === "SENT" ? takeConfirmation(purchase, event) : REST;
    default:
      return REST;
  }
}

/** Handles a due job, a restart of the gateway, or a notice from the provider. */
function followUp(purchase: PurchaseState, event: EventOf<"due">): Decision {
  const { now } = event;
  const isDue = (purchase.nextAttemptAt ?? now) <= now;
  switch (purchase.attemptState) {
    case "FAILED":
      if (!isDue) return wait(purchase, now, "KEPT");
      return tryAgain(purchase, now);
    case "SENT":
      return followUpSent(purchase, event, isDue);
    case "WORKING":
      return { next: { do: "inquire", isOver: true } };
    case "NONE":
      // It moved to a provider that has not received it yet.
      if (purchase.refusedBy.length === 0) return { next: { do: "inquire", isOver: true } };
      return isWindowOver(purchase, now) ? expire(purchase, false) : submit(purchase, now);
  }
}

function followUpSent(purchase: PurchaseState, event: EventOf<"due">, isDue: boolean): Decision {
  const { now, sender } = event;
  if (sender.state === "HERE") return isDue ? noteSilence(purchase, event) : wait(purchase, now);
  if (sender.state === "ELSEWHERE") {
    const lookAt = now + Math.max(sender.endsIn_ms, SHORTEST_PAUSE_MS);
    return { write: { steps: [], lookAt }, next: { do: "rest" } };
  }
  if (isDue) return noteSilence(purchase, event);
  if (sender.state === "UNANSWERED") return wait(purchase, now, "KEPT");
  return { next: { do: "inquire", isOver: false } };
}

function tryAgain(purchase: PurchaseState, now: number): Decision {
  // The provider may have received an earlier attempt. The gateway queries it before the purchase
  // is submitted again or expires.
  if (purchase.doubt !== "NONE") return { next: { do: "inquire", isOver: true } };
  return isWindowOver(purchase, now) ? expire(purchase, false) : submit(purchase, now);
}

function noteSilence(purchase: PurchaseState, { now, isIntervalOver }: EventOf<"due">): Decision {
  // If the program was off at the deadline, or the clock was moved forward, the submission may
  // still arrive. `isIntervalOver` limits this time even if the clock keeps jumping.
  const isOver = !wasOverlooked(purchase, now) || isIntervalOver;
  const next = { do: "inquire", isOver } as const;
  if (isWindowOver(purchase, now)) return { next };
  const nextAttemptAt = nextAttemptAfter(purchase, now);
  const doubt = strongerDoubt(purchase, "LOST");
  // The next attempt starts with an inquiry.
  const postponed = postpone(purchase, { reason: NO_ANSWER, announcedAt: now, nextAttemptAt });
  const attempt = { attemptState: "SENT", nextAttemptAt, doubt } as const;
  return { write: { ...postponed, attempt, ...failedBrand(purchase) }, next };
}

/** A refusal moves money only if the provider cannot have booked an order. */
function takeAnswer(purchase: PurchaseState, event: EventOf<"answered">): Decision {
  const { answer, isAlone, queueOn, now } = event;
  const moved = moveAfter(purchase, event, isAlone);
  if (moved) return moved;
  switch (answer.kind) {
    case "not-received":
    case "unreadable": {
      const asked = answer.kind === "unreadable" ? answer.checkAgainAt : undefined;
      if (asked === undefined) return { next: { do: "await-deadline" } };
      return keepChecking(purchase, now, { checkAgainAt: inTime(asked, now), doubt: "LOST" });
    }
    case "recoverable": {
      // This failure does not decide about an earlier attempt: the status is queried at the
      // deadline.
      if (!isAlone) return { next: { do: "await-deadline" } };
      const isDoubted = purchase.doubt !== "NONE" || answer.mayBeBooked === true;
      if (isDoubted && !queueOn) return { next: { do: "confirm", refusal: answer } };
      return apply(purchase, answer, event);
    }
    case "rejected":
      if (purchase.doubt !== "NONE") return { next: { do: "confirm", refusal: answer } };
      return apply(purchase, answer, event);
    case "fulfilled":
    case "working":
      return apply(purchase, answer, event);
  }
}

function takeOutcome(purchase: PurchaseState, event: EventOf<"inquired">): Decision {
  const { answer, isOver, now } = event;
  const isExpired = isWindowOver(purchase, now);
  const moved = moveAfter(purchase, event, isOver) ?? failFromBackup(purchase, event);
  if (moved) return moved;
  switch (answer?.kind) {
    case "fulfilled":
    case "rejected":
      return apply(purchase, answer, event);
    case "recoverable": {
      // The answer concerns earlier attempts. The last attempt may still arrive.
      if (!isOver) return wait(purchase, now, "KEPT");
      // The provider has received all attempts and fulfilled none of them.
      const failed = { ...purchase, doubt: "NONE" } as const;
      return isExpired ? expire(failed, false) : apply(failed, answer, event);
    }
    case "not-received":
      // The provider has confirmed the booking. An answer from a lagging replica cannot revoke it.
      if (purchase.doubt === "BOOKED") return stayUnknown(purchase, event);
      if (!isExpired) return resubmit(purchase, event);
      return isOver ? expire(purchase, purchase.doubt === "ACCEPTED") : lookOnceMore(purchase, now);
    case "working":
    case "unreadable":
    case undefined:
      return stayUnknown(purchase, event);
  }
}

/** A refusal counts only if a second inquiry does not contradict it. */
function takeConfirmation(purchase: PurchaseState, event: EventOf<"confirmed">): Decision {
  const { refusal, answer, now } = event;
  switch (answer?.kind) {
    case "fulfilled":
    case "rejected":
    case "working":
      return apply(purchase, answer, event);
    case "recoverable":
      return apply(purchase, refusal, event);
    case "not-received": {
      const isGuessed = refusal.kind === "rejected" && refusal.isGuessed === true;
      if (isGuessed || purchase.doubt === "BOOKED") break;
      return apply(purchase, refusal, { ...event, isDoubtful: purchase.doubt === "ACCEPTED" });
    }
    case "unreadable":
    case undefined:
      break;
  }
  const asked = answer?.kind === "unreadable" ? answer.checkAgainAt : undefined;
  return keepChecking(purchase, now, { checkAgainAt: inTime(asked, now), doubt: "LOST" });
}

/**
 * Queries the status again. Expires the purchase with an unknown outcome after a whole day of
 * queries.
 */
function stayUnknown(purchase: PurchaseState, event: EventOf<"inquired">): Decision {
  const { answer, now } = event;
  const seen = { ...purchase, unknownFor_ms: purchase.unknownFor_ms + event.asked_ms };
  if (isWindowOver(seen, now) && hasBeenAskedEnough(seen)) return expire(seen, true);
  if (answer?.kind === "working") return apply(seen, answer, event);
  // An unanswered attempt is queried again at its deadline, regardless of this inquiry's result.
  if (seen.attemptState === "SENT") {
    const lookAt = nextAttemptAfter(seen, now);
    const attempt = { nextAttemptAt: lookAt, unknownFor_ms: seen.unknownFor_ms };
    return { write: { steps: [], attempt, sending: "KEPT", lookAt }, next: { do: "rest" } };
  }
  const asked = answer?.kind === "unreadable" ? answer.checkAgainAt : undefined;
  const checkAgainAt = inTime(asked, now);
  const isFailing = answer?.kind === "unreadable" && answer.isFailing && seen.doubt === "LOST";
  const more = isFailing ? failedBrand(purchase) : {};
  return keepChecking(seen, now, { checkAgainAt, doubt: "LOST" }, more);
}

/** Returns the time of the next inquiry: a provider may not delay it beyond the usual interval. */
function inTime(asked = Infinity, now: number): number {
  return Math.min(asked, now + RETRY_INTERVAL_MS);
}

/**
 * Resends an attempt that the provider has not received. The first copy may still arrive. Without a
 * resend, nothing is final before the attempt's deadline (rules#purchase-late-arrival).
 */
function resubmit(purchase: PurchaseState, event: EventOf<"inquired">): Decision {
  const { now, isOver, queueOn } = event;
  // A provider that repeatedly forgets an accepted order counts as failing.
  const isForgotten = purchase.attemptState === "WORKING" && countAttempts(purchase) > 1;
  if (queueOn && !isForgotten) return submit(purchase, now, [], isOver);
  if (!isOver) return wait(purchase, now, "KEPT");
  return apply(purchase, { kind: "recoverable", message: "the provider never received it" }, event);
}

function apply(
  purchase: PurchaseState,
  answer: ClearAnswer,
  { now, queueOn, isDoubtful = false }: { now: number; queueOn: boolean; isDoubtful?: boolean },
): Decision {
  switch (answer.kind) {
    case "fulfilled":
      return {
        write: {
          steps: [{ to: "DONE", message: "Completed" }],
          ...(!purchase.transaction.training && { ledger: "capture" as const }),
          attempt: { fulfilment: answer.fulfilment, nextAttemptAt: undefined },
          brand: "ANSWERED",
        },
        next: { do: "rest" },
      };
    case "rejected":
      return failRefused(purchase, answer, isDoubtful);
    case "working": {
      const doubt = answer.isBooked ? "BOOKED" : "ACCEPTED";
      return keepChecking(purchase, now, { checkAgainAt: answer.checkAgainAt, doubt });
    }
    case "recoverable": {
      const { message, mayBeBooked = false, isFailing = false, retryAfter_ms } = answer;
      if (!queueOn) {
        const reason = failure("PROVIDER_UNAVAILABLE", `Failed: ${message}.`);
        return fail(purchase, reason, isDoubtful, failedBrand(purchase));
      }
      const follows = followsProvider(purchase, retryAfter_ms);
      const nextAttemptAt = follows
        ? Math.max(Math.min(now + retryAfter_ms, windowEnd(purchase)), now + SHORTEST_PAUSE_MS)
        : nextAttemptAfter(purchase, now);
      const doubt = strongerDoubt(purchase, mayBeBooked ? "LOST" : "NONE");
      const attempt = { attemptState: "FAILED", nextAttemptAt, doubt } as const;
      const postponed = postpone(purchase, {
        reason: message,
        announcedAt: nextAttemptAt,
        nextAttemptAt,
      });
      // A provider that asks for a short wait is busy, and its brand has not failed.
      const brand = follows && !isFailing ? {} : failedBrand(purchase);
      return { write: { ...postponed, attempt, ...brand }, next: { do: "rest" } };
    }
  }
}

/** Stores an attempt before it is sent. The job runs at the deadline for the answer. */
function submit(
  purchase: PurchaseState,
  now: number,
  before: readonly Step[] = [],
  isAlone = true,
): Decision {
  const nextAttemptAt = nextAttemptAfter(purchase, now);
  const isUnanswered = purchase.attemptState === "SENT" || purchase.attemptState === "WORKING";
  const isFirst = purchase.transaction.status !== "IN_PROGRESS";
  const first = { to: "IN_PROGRESS", message: "Submitted for fulfillment" } as const;
  return {
    write: {
      steps: isFirst ? [...before, first] : [],
      attempt: {
        attempts: purchase.attempts + 1,
        attemptState: "SENT",
        nextAttemptAt,
        unknownFor_ms: 0,
        doubt: isUnanswered ? strongerDoubt(purchase, "LOST") : purchase.doubt,
      },
      sending: "BEGINS",
      lookAt: nextAttemptAt,
    },
    next: { do: "submit", isAlone },
  };
}

function postpone(
  { attempts }: PurchaseState,
  attempt: { reason: string; announcedAt: number; nextAttemptAt: number },
): Pick<Write, "steps" | "lookAt"> {
  const at = toTimestamp(attempt.announcedAt);
  const message = `Attempt ${attempts} failed: ${attempt.reason}; next attempt at ${at}`;
  return { steps: [{ to: "IN_PROGRESS", message }], lookAt: attempt.nextAttemptAt };
}

function wait(purchase: PurchaseState, now: number, sending: "HERE" | "KEPT" = "HERE"): Decision {
  const lookAt = nextAttemptAfter(purchase, now);
  const attempt = { nextAttemptAt: lookAt };
  return { write: { steps: [], attempt, sending, lookAt }, next: { do: "rest" } };
}

/** Queries again: nothing is final before the attempt's deadline, even after the window. */
function lookOnceMore(purchase: PurchaseState, now: number): Decision {
  const due = purchase.nextAttemptAt ?? now;
  const lookAt = due > now ? due : now + RETRY_INTERVAL_MS;
  return { write: { steps: [], attempt: { nextAttemptAt: lookAt }, lookAt }, next: { do: "rest" } };
}

/**
 * Queries again at `checkAgainAt`, or every 15 minutes after the window: the provider has or may
 * have the order.
 */
function keepChecking(
  purchase: PurchaseState,
  now: number,
  { checkAgainAt, doubt }: { checkAgainAt: number; doubt: Doubt },
  more: Pick<Write, "brand"> = {},
): Decision {
  const end = windowEnd(purchase);
  const lookAt =
    end > now
      ? Math.min(Math.max(checkAgainAt, now + SHORTEST_PAUSE_MS), end)
      : now + QUESTION_INTERVAL_MS;
  const attempt = {
    attemptState: "WORKING",
    unknownFor_ms: purchase.unknownFor_ms,
    doubt: strongerDoubt(purchase, doubt),
    ...(end <= now && { nextAttemptAt: lookAt }),
  } as const;
  return { write: { steps: [], attempt, lookAt, ...more }, next: { do: "rest" } };
}
