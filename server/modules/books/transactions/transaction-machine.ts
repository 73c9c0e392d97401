import type { TransactionStatus } from "../../../contract/common.ts";

/**
 * The states of a transaction (rules#purchase-states).
 *
 *   (none)      → ACCEPTED     the request is valid and its row written
 *   ACCEPTED    → PENDING      it must wait before money moves
 *   ACCEPTED,
 *   PENDING     → AUTHORIZED   the wallet covers the cost; it is held
 *               → FAILED       wallet short, blocked or not configured; nothing was held
 *               → DONE         a movement of the wallet itself: a recharge is complete when recorded
 *   ACCEPTED    → IN_PROGRESS  a refund, for which nothing is held: handed to the provider
 *   AUTHORIZED  → IN_PROGRESS  handed to the provider
 *   IN_PROGRESS → IN_PROGRESS  an attempt failed recoverably or got no answer; another follows
 *               → DONE         the provider confirms; the hold is captured
 *               → FAILED       the provider rejects, or time is up; the hold is released
 *
 * DONE and FAILED are final. Each arrow is one database transaction that writes the status, the log
 * row, the ledger rows and the change row, guarded by the status it leaves.
 */
const NEXT: Record<TransactionStatus, readonly TransactionStatus[]> = {
  ACCEPTED: ["PENDING", "AUTHORIZED", "IN_PROGRESS", "FAILED", "DONE"],
  PENDING: ["AUTHORIZED", "FAILED"],
  AUTHORIZED: ["IN_PROGRESS"],
  IN_PROGRESS: ["IN_PROGRESS", "DONE", "FAILED"],
  DONE: [],
  FAILED: [],
};

export function mayBecome(from: TransactionStatus, to: TransactionStatus): boolean {
  return NEXT[from].includes(to);
}

export function isFinal(status: TransactionStatus): boolean {
  return NEXT[status].length === 0;
}
