import type { Doubt } from "../../../db/tables/transactions.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { StoredTransaction } from "../../books/transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

export interface PurchaseState
  extends Pick<
    StoredPurchase,
    | "attempts"
    | "attemptState"
    | "nextAttemptAt"
    | "unknownFor_ms"
    | "doubt"
    | "refusedBy"
    | "mayHaveMoved"
  > {
  transaction: Pick<StoredTransaction, "status" | "createdAt" | "training"> & {
    log: { readonly length: number };
  };
}

/** Timeout of an attempt, and interval between attempts (rules#purchase-retry). */
export const RETRY_INTERVAL_MS = 15 * MINUTE;
export const QUESTION_INTERVAL_MS = 15 * MINUTE;
/**
 * Running time after which queries about an unknown outcome end
 * (rules#purchase-clock-decides-nothing).
 */
const LONGEST_UNKNOWN_MS = 24 * HOUR;
export const NO_ANSWER = "no answer for 15 minutes";
/** Minimum time between queries, even if the provider asks for less. */
export const SHORTEST_PAUSE_MS = SECOND;
/** Interval of queries to the shop's own system. */
export const ASK_AGAIN_MS = 30 * SECOND;
export const VERIFIER_FULL_MS = SECOND;
/** After this many attempts at a provider, its request for a short wait is ignored. */
const MAX_SHORT_WAITS = 10;
/** Duration of a claim to send an attempt; a process extends its claims (docs/decisions/0080). */
export const SENDING_MS = 30 * SECOND;
/** Time for attempts, counted from acceptance (rules#purchase-retry). */
export const RETRY_WINDOW_MS = 24 * HOUR;

export function windowEnd(purchase: PurchaseState): number {
  return purchase.transaction.createdAt + RETRY_WINDOW_MS;
}

const ASKED_SLACK_MS = MINUTE;

/**
 * Returns whether the status was queried for a day of running time
 * (rules#purchase-clock-decides-nothing).
 */
export function hasBeenAskedEnough({
  unknownFor_ms,
}: Pick<StoredPurchase, "unknownFor_ms">): boolean {
  return unknownFor_ms >= LONGEST_UNKNOWN_MS - ASKED_SLACK_MS;
}

/**
 * Returns whether a purchase is unfinished after its window only because its outcome is unknown.
 * Such a purchase is queried, but not sent again.
 */
export function isBeingFoundOut(purchase: StoredPurchase): boolean {
  const { transaction, attemptState, nextAttemptAt } = purchase;
  const isAsked = attemptState === "SENT" || attemptState === "WORKING";
  const isOpen = transaction.finishedAt === undefined && isAsked;
  return isOpen && (nextAttemptAt ?? 0) > windowEnd(purchase);
}

/** Returns the time by which the purchase ends if the gateway runs without interruption. */
export function openUntil(purchase: StoredPurchase): number {
  const { nextAttemptAt, unknownFor_ms } = purchase;
  if (nextAttemptAt === undefined || !isBeingFoundOut(purchase)) return windowEnd(purchase);
  return nextAttemptAt - QUESTION_INTERVAL_MS + Math.max(LONGEST_UNKNOWN_MS - unknownFor_ms, 0);
}

/**
 * Returns whether the purchase's window has ended. If the clock was moved back and the purchase
 * dates from the future, its window ends after as many attempts as fit into 24 hours.
 */
export function isWindowOver(purchase: PurchaseState, now: number): boolean {
  if (now >= windowEnd(purchase)) return true;
  const { log } = purchase.transaction;
  return isFromFuture(purchase, now) && log.length > RETRY_WINDOW_MS / RETRY_INTERVAL_MS;
}

/**
 * Returns whether the purchase dates from the future. Only the length of its log then shows for how
 * long it was tried.
 */
export function isFromFuture({ transaction }: PurchaseState, now: number): boolean {
  return transaction.createdAt > now + RETRY_INTERVAL_MS;
}

/**
 * Returns the next time on the 15-minute grid of the first attempt, or an interval from now if that
 * time has passed. The result is within the window, unless the window has expired.
 */
export function nextAttemptAfter(purchase: PurchaseState, now: number): number {
  const due = purchase.nextAttemptAt ?? now;
  const onGrid = due > now ? due : due + RETRY_INTERVAL_MS;
  // After the clock is moved back, a wait must not exceed an interval.
  const next = onGrid > now ? Math.min(onGrid, now + RETRY_INTERVAL_MS) : now + RETRY_INTERVAL_MS;
  const end = windowEnd(purchase);
  return end > now ? Math.min(next, end) : now + QUESTION_INTERVAL_MS;
}

/** Returns the number of attempts at the present provider. */
export function countAttempts({
  attempts,
  refusedBy,
}: Pick<PurchaseState, "attempts" | "refusedBy">): number {
  return attempts - refusedBy.length;
}

/** Returns `refusedBy` after a move from the present provider. */
export function addRefusals(
  purchase: Pick<PurchaseState, "attempts" | "refusedBy">,
  providerId: string,
): string[] {
  const own = Array.from({ length: Math.max(1, countAttempts(purchase)) }, () => providerId);
  return [...purchase.refusedBy, ...own];
}

/** rules#purchase-retry */
export function followsProvider(
  purchase: PurchaseState,
  retryAfter_ms: number | undefined,
): retryAfter_ms is number {
  return retryAfter_ms !== undefined && countAttempts(purchase) <= MAX_SHORT_WAITS;
}

const DOUBTS: readonly Doubt[] = ["NONE", "LOST", "ACCEPTED", "BOOKED"];

export function strongerDoubt({ doubt }: Pick<PurchaseState, "doubt">, other: Doubt): Doubt {
  return DOUBTS.indexOf(doubt) > DOUBTS.indexOf(other) ? doubt : other;
}

/** Returns whether the job ran so late (by an interval) that no process watched the attempt. */
export function wasOverlooked(purchase: PurchaseState, now: number): boolean {
  return now - (purchase.nextAttemptAt ?? now) > RETRY_INTERVAL_MS;
}
