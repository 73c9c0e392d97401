import type { TransactionStatus } from "../contract/common.ts";

/** The message that nearly every log entry of a status has: it is stored once, here. Existing rows depend on it. */
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
