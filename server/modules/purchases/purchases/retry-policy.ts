import type { Doubt } from "../../../db/tables/transactions.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { StoredTransaction } from "../../books/transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/** The part of a purchase that decisions depend on; a stored purchase has it. */
export interface PurchaseState
  extends Pick<
    StoredPurchase,
    "attempts" | "attemptState" | "nextAttemptAt" | "unknownFor_ms" | "doubt"
  > {
  transaction: Pick<StoredTransaction, "status" | "createdAt" | "training"> & {
    log: { readonly length: number };
  };
}

/** An attempt without an answer for this long has failed; the next attempts follow at this interval (rules#purchase-retry). */
export const RETRY_INTERVAL_MS = 15 * MINUTE;
/** The interval of inquiries for an outcome that is unknown. */
export const QUESTION_INTERVAL_MS = 15 * MINUTE;
/** Time of querying after which an unknown outcome is given up (rules#purchase-clock-decides-nothing). */
const LONGEST_UNKNOWN_MS = 24 * HOUR;
/** The reason of an attempt that got no answer. */
export const NO_ANSWER = "no answer for 15 minutes";
/** Minimum time between two queries, whatever the provider requests. */
export const SHORTEST_PAUSE_MS = SECOND;
/** The shop's own system is queried again if its answer is not stored by then. */
export const ASK_AGAIN_MS = 30 * SECOND;
/** Delay of a query while too many are open. */
export const VERIFIER_FULL_MS = SECOND;
/** Number of attempts after which a provider's own, shorter wait is ignored. */
const MAX_SHORT_WAITS = 10;
/** Counted from acceptance (rules#purchase-retry). */
export const RETRY_WINDOW_MS = 24 * HOUR;

export function windowEnd(purchase: PurchaseState): number {
  return purchase.transaction.createdAt + RETRY_WINDOW_MS;
}

/**
 * Tolerance for queries that run some time after they were due, including the last one of a day.
 */
const ASKED_SLACK_MS = MINUTE;

/**
 * Returns whether an unknown outcome has been queried for a whole day of running
 * (rules#purchase-clock-decides-nothing).
 */
export function hasBeenAskedEnough({
  unknownFor_ms,
}: Pick<StoredPurchase, "unknownFor_ms">): boolean {
  return unknownFor_ms >= LONGEST_UNKNOWN_MS - ASKED_SLACK_MS;
}

/**
 * Returns whether a purchase is open past its window only because its outcome is unknown: it is
 * queried, and neither sent again nor given up.
 */
export function isBeingFoundOut(purchase: StoredPurchase): boolean {
  const { transaction, attemptState, nextAttemptAt } = purchase;
  const isAsked = attemptState === "SENT" || attemptState === "WORKING";
  const isOpen = transaction.finishedAt === undefined && isAsked;
  return isOpen && (nextAttemptAt ?? 0) > windowEnd(purchase);
}

/** Returns how long an unfinished purchase stays open, if the gateway runs all the time. */
export function openUntil(purchase: StoredPurchase): number {
  const { nextAttemptAt, unknownFor_ms } = purchase;
  if (nextAttemptAt === undefined || !isBeingFoundOut(purchase)) return windowEnd(purchase);
  return nextAttemptAt - QUESTION_INTERVAL_MS + Math.max(LONGEST_UNKNOWN_MS - unknownFor_ms, 0);
}

/**
 * Returns whether a purchase's window has expired. If the clock was moved back, so that the purchase
 * dates from the future, its window expires after as many attempts as fit 24 hours.
 */
export function isWindowOver(purchase: PurchaseState, now: number): boolean {
  if (now >= windowEnd(purchase)) return true;
  const { log } = purchase.transaction;
  return isFromFuture(purchase, now) && log.length > RETRY_WINDOW_MS / RETRY_INTERVAL_MS;
}

/**
 * Returns whether a purchase dates from the future: only the length of its log shows how long it has been
 * tried.
 */
export function isFromFuture({ transaction }: PurchaseState, now: number): boolean {
  return transaction.createdAt > now + RETRY_INTERVAL_MS;
}

/**
 * Returns when the attempt after the one due at `due` starts: on the 15-minute grid of the first,
 * or a whole interval from now if the grid was missed; not past the end of the window, until the
 * window has expired.
 */
export function nextAttemptAfter(purchase: PurchaseState, now: number): number {
  const due = purchase.nextAttemptAt ?? now;
  const onGrid = due > now ? due : due + RETRY_INTERVAL_MS;
  // A clock that was moved back must not make a wait longer than an interval.
  const next = onGrid > now ? Math.min(onGrid, now + RETRY_INTERVAL_MS) : now + RETRY_INTERVAL_MS;
  const end = windowEnd(purchase);
  return end > now ? Math.min(next, end) : now + QUESTION_INTERVAL_MS;
}

/**
 * Returns whether the next attempt follows after the wait that the provider asked for
 * (rules#purchase-retry).
 */
export function followsProvider(
  { attempts }: PurchaseState,
  retryAfter_ms: number | undefined,
): retryAfter_ms is number {
  return retryAfter_ms !== undefined && attempts <= MAX_SHORT_WAITS;
}

const DOUBTS: readonly Doubt[] = ["NONE", "LOST", "ACCEPTED", "BOOKED"];

/** Returns the stronger of a purchase's doubt and another. */
export function strongerDoubt({ doubt }: Pick<PurchaseState, "doubt">, other: Doubt): Doubt {
  return DOUBTS.indexOf(doubt) > DOUBTS.indexOf(other) ? doubt : other;
}

/**
 * Returns whether an attempt's job ran more than a retry interval late: no process watched the
 * attempt in that time.
 */
export function wasOverlooked(purchase: PurchaseState, now: number): boolean {
  return now - (purchase.nextAttemptAt ?? now) > RETRY_INTERVAL_MS;
}
