import { createHash } from "node:crypto";
import type { Confirmation, Fulfilment, VoucherReceipt } from "../contract/v1/purchases.ts";
import { DAY, toTimestamp } from "../lib/clock.ts";
import type { Order } from "./supplier.ts";

const VOUCHER_VALID_MS = 365 * DAY;

/**
 * What the sandbox provider hands over. Every number is a digest of the transaction id: the same
 * order is fulfilled the same way however often it is asked about.
 */
export function fulfilmentOf(order: Order, fulfilledAt: number): Fulfilment {
  const digest = createHash("sha256").update(`${order.accountId}/${order.transactionId}`).digest();
  const confirmation = confirmationOf(digest, fulfilledAt);
  if (order.productType !== "VOUCHER") return { confirmation };
  return { confirmation, receipt: receiptOf(order, digest, confirmation, fulfilledAt) };
}

function confirmationOf(digest: Buffer, fulfilledAt: number): Confirmation {
  return {
    confirmationNumber: digits(digest, 0, 15),
    externalReferenceId: `SIM-${digest.toString("hex", 6, 12).toUpperCase()}`,
    transactionTime: toTimestamp(fulfilledAt),
  };
}

/** The voucher receipt of spec §2.6, as its delivery type asks for. */
function receiptOf(
  order: Order,
  digest: Buffer,
  confirmation: Confirmation,
  fulfilledAt: number,
): VoucherReceipt {
  const { deliveryType } = order;
  const byLink = deliveryType === "REDEMPTION_URL" || deliveryType === "EMAIL";
  const toAccount = deliveryType === "DIRECT_CREDIT";
  return {
    deliveryType,
    confirmationNumber: confirmation.confirmationNumber,
    currency: order.sendCurrency,
    epin: byLink || toAccount ? "" : digits(digest, 12, deliveryType === "TOKEN" ? 20 : 16),
    voucherId: `V${digest.toString("hex", 18, 24).toUpperCase()}`,
    redemptionUrl: byLink ? `https://redeem.example/${digest.toString("hex", 18, 26)}` : "",
    accountId: toAccount ? order.recipient : "",
    expiresAt: toTimestamp(fulfilledAt + VOUCHER_VALID_MS),
    instructions: "This is a test voucher: it cannot be redeemed.",
    notes: "",
    recipientCustomerServiceNumber: "+18005550100",
    senderCustomerServiceNumber: "+18005550101",
    terms: "Test environment. No value.",
    send: order.send,
  };
}

/** `count` decimal digits out of a digest. */
function digits(digest: Buffer, offset: number, count: number): string {
  let text = "";
  for (let at = offset; text.length < count; at += 6) {
    text += String(digest.readUIntBE(at % 26, 6)).padStart(15, "0");
  }
  return text.slice(0, count);
}
