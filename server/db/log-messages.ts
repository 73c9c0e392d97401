import type { TransactionStatus } from "../contract/common.ts";

/**
 * Default message of a log entry with a status; the message is then not stored. Existing rows
 * depend on these texts: do not change them.
 */
const USUAL: Partial<Record<TransactionStatus, string>> = {
  ACCEPTED: "Transaction accepted",
  AUTHORIZED: "Wallet authorized",
  IN_PROGRESS: "Submitted for fulfillment",
  DONE: "Completed",
};

/** Returns the stored form of a message: null for the default message of its status. */
export function toStoredMessage(status: string, message: string): string | null {
  return message === USUAL[status as TransactionStatus] ? null : message;
}

export function readMessage(status: TransactionStatus, stored: string | null): string {
  return stored ?? USUAL[status] ?? "";
}
