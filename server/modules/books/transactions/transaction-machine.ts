import type { TransactionStatus } from "../../../contract/common.ts";

/**
 * The states of a transaction (rules#purchase-states).
 *
 *   (none)      → ACCEPTED     the request is valid and its row is written
 *   ACCEPTED    → PENDING      the transaction must wait before money moves
 *   ACCEPTED,
 *   PENDING     → AUTHORIZED   the wallet covers the cost, which is now held
 *               → FAILED       the wallet is short, blocked or not configured; nothing was held
 *               → DONE         a recharge, which is complete when it is recorded
 *   ACCEPTED    → IN_PROGRESS  a refund, for which nothing is held: sent to the provider
 *   AUTHORIZED  → IN_PROGRESS  sent to the provider
 *   IN_PROGRESS → IN_PROGRESS  an attempt failed recoverably or got no response; another follows
 *               → DONE         the provider confirms; the held amount is captured
 *               → FAILED       the provider rejects, or time is up; the held amount is released
 *
 * DONE and FAILED are final. A database transaction writes one arrow, or several that follow each
 * other: the status, the log rows, the ledger rows and the change rows. It requires that the stored
 * status is the first arrow's start.
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
