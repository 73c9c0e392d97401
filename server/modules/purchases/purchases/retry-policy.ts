import type { Doubt } from "../../../db/tables/transactions.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { StoredTransaction } from "../../books/transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/** The part of a purchase that decisions depend on; a stored purchase is one. */
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
/** An unknown outcome is given up after it was asked about for this long (rules#purchase-clock-decides-nothing). */
const LONGEST_UNKNOWN_MS = 24 * HOUR;
/** The reason of an attempt that got no answer. */
export const NO_ANSWER = "no answer for 15 minutes";
/** The least time between two queries, whatever the provider asks for. */
export const SHORTEST_PAUSE_MS = SECOND;
/** The shop's own system is asked again when its answer is not recorded by then. */
export const ASK_AGAIN_MS = 30 * SECOND;
/** A question waits for so long while too many are open. */
export const VERIFIER_FULL_MS = SECOND;
/** After this many attempts a provider's own, shorter wait is not followed any more. */
const MAX_SHORT_WAITS = 10;
/** Counted from acceptance (rules#purchase-retry). */
export const RETRY_WINDOW_MS = 24 * HOUR;

export function windowEnd(purchase: PurchaseState): number {
  return purchase.transaction.createdAt + RETRY_WINDOW_MS;
}

/** A query is made some time after it was due, and the last one of a day as well. */
const ASKED_SLACK_MS = MINUTE;

/** Whether an unknown outcome has been asked about for a whole day of running (rules#purchase-clock-decides-nothing). */
export function hasBeenAskedEnough({
  unknownFor_ms,
}: Pick<StoredPurchase, "unknownFor_ms">): boolean {
  return unknownFor_ms >= LONGEST_UNKNOWN_MS - ASKED_SLACK_MS;
}

/**
 * Whether a purchase is open past its window only because its outcome is unknown: it is asked about,
 * and neither sent again nor given up meanwhile.
 */
export function isBeingFoundOut(purchase: StoredPurchase): boolean {
  const { transaction, attemptState, nextAttemptAt } = purchase;
  const isAsked = attemptState === "SENT" || attemptState === "WORKING";
  const isOpen = transaction.finishedAt === undefined && isAsked;
  return isOpen && (nextAttemptAt ?? 0) > windowEnd(purchase);
}

/** How long an unfinished purchase goes on, if the gateway runs all the time. */
export function openUntil(purchase: StoredPurchase): number {
  const { nextAttemptAt, unknownFor_ms } = purchase;
  if (nextAttemptAt === undefined || !isBeingFoundOut(purchase)) return windowEnd(purchase);
  return nextAttemptAt - QUESTION_INTERVAL_MS + Math.max(LONGEST_UNKNOWN_MS - unknownFor_ms, 0);
}

/**
 * Whether a purchase's window is over. Where the clock was moved back, so that the purchase dates from
 * the future, its window is over after as many attempts as fit 24 hours.
 */
export function isWindowOver(purchase: PurchaseState, now: number): boolean {
  if (now >= windowEnd(purchase)) return true;
  const { log } = purchase.transaction;
  return isFromFuture(purchase, now) && log.length > RETRY_WINDOW_MS / RETRY_INTERVAL_MS;
}

/** Whether a purchase dates from the future: only the length of its log says how long it has been tried. */
export function isFromFuture({ transaction }: PurchaseState, now: number): boolean {
  return transaction.createdAt > now + RETRY_INTERVAL_MS;
}

/**
 * When the attempt after the one due at `due` begins: on the 15-minute grid of the first, or a
 * whole interval from now when the grid was missed; not past the end of the window, until that is
 * over.
 */
export function nextAttemptAfter(purchase: PurchaseState, now: number): number {
  const due = purchase.nextAttemptAt ?? now;
  const onGrid = due > now ? due : due + RETRY_INTERVAL_MS;
  // A clock that was moved back must not make a wait longer than an interval.
  const next = onGrid > now ? Math.min(onGrid, now + RETRY_INTERVAL_MS) : now + RETRY_INTERVAL_MS;
  const end = windowEnd(purchase);
  return end > now ? Math.min(next, end) : now + QUESTION_INTERVAL_MS;
}

/** Whether the next attempt follows after the wait that the provider asked for (rules#purchase-retry). */
export function followsProvider(
  { attempts }: PurchaseState,
  retryAfter_ms: number | undefined,
): retryAfter_ms is number {
  return retryAfter_ms !== undefined && attempts <= MAX_SHORT_WAITS;
}

const DOUBTS: readonly Doubt[] = ["NONE", "LOST", "ACCEPTED", "BOOKED"];

/** The stronger of a purchase's doubt and another. */
export function strongerDoubt({ doubt }: Pick<PurchaseState, "doubt">, other: Doubt): Doubt {
  return DOUBTS.indexOf(doubt) > DOUBTS.indexOf(other) ? doubt : other;
}

/** An attempt whose time was up this long before it was looked at was not watched meanwhile. */
export function wasOverlooked(purchase: PurchaseState, now: number): boolean {
  return now - (purchase.nextAttemptAt ?? now) > RETRY_INTERVAL_MS;
}
