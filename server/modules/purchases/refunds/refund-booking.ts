import { Problem } from "../../../contract/problem.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { markReturned } from "../../../db/returned-lines.ts";
import {
  createTransaction,
  findTransaction,
  type StoredTransaction,
  type TransactionRef,
  toTransactionRecord,
  transition,
} from "../../books/transactions/index.ts";
import { refund } from "../../books/wallet/index.ts";
import { releaseLoss } from "../../catalog/prices/index.ts";
import { enqueueMessage } from "../../messages/webhooks/index.ts";
import { createRefund, findRefundedId } from "./refund-store.ts";

/**
 * Books a refund that the provider made although it failed in the gateway. Creates a new, completed
 * refund, so that the purchase cannot be refunded again.
 * @throws Problem REFUND_NOT_ALLOWED if another refund of the purchase is in progress or done
 */
export async function bookRefund(
  tx: Tx,
  failed: StoredTransaction,
  { transactionId, at }: { transactionId: string; at: number },
): Promise<void> {
  const { accountId, environment, amount } = failed;
  const ref = { accountId, environment, transactionId };
  const refundedTransactionId = await findRefundedId(tx, failed);
  if (refundedTransactionId === undefined) {
    throw new Error(`${failed.transactionId} refunds nothing`);
  }
  const what = { type: "CREDIT", productType: "REFUND" } as const;
  await createTransaction(tx, { ...ref, ...what, amount, unit: failed, at });
  if (!(await createRefund(tx, { ...ref, refundedTransactionId }))) {
    throw new Problem(
      "REFUND_NOT_ALLOWED",
      `Another refund of ${refundedTransactionId} is done or under way, and gives the same money back. When it is done, settle this one as not-delivered. Nothing was changed.`,
    );
  }
  await transition(tx, ref, { from: "ACCEPTED", to: "DONE", at, message: "Completed" });
  await refund(tx, { ...ref, amount, at });
  await returnPurchase(tx, { accountId, environment, transactionId: refundedTransactionId }, at);
  await announceRefund(tx, ref, { refundedTransactionId, at });
}

/** Sends a finished refund to the webhooks as GET returns it. */
export async function announceRefund(
  tx: Tx,
  ref: TransactionRef,
  { refundedTransactionId, at }: { refundedTransactionId: string; at: number },
): Promise<void> {
  const { accountId, environment, transactionId: subject } = ref;
  const message = { accountId, environment, kind: "REFUND", subject, at } as const;
  await enqueueMessage(tx, message, async () => {
    const refund = await findTransaction(tx, ref);
    return refund && toRefundRecord(refund, refundedTransactionId);
  });
}

export function toRefundRecord(stored: StoredTransaction, refundedTransactionId: string) {
  const record = toTransactionRecord(stored);
  return { ...record, productType: "REFUND" as const, refundedTransactionId };
}

/**
 * Adds the purchase's loss back to the loss budget (rules#price-last-guard), and marks the
 * purchase's line at the till as no longer sold (rules#refund-returns-line).
 */
export async function returnPurchase(tx: Tx, refunded: TransactionRef, at: number): Promise<void> {
  await releaseLoss(tx, refunded);
  await markReturned(tx, refunded, at);
  // Makes the tills reload the sale.
  await recordChange(tx, refunded, { topic: "purchase", subject: refunded.transactionId, at });
}
