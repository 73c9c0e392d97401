import { createHash } from "node:crypto";
import type { EsimConfirmation } from "../contract/v1/esim-purchases.ts";
import type { Fulfilment } from "../contract/v1/fulfilment.ts";
import type { VoucherOffer } from "../contract/v1/offers.ts";
import type { Confirmation } from "../contract/v1/purchase-record.ts";
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
  const { offer } = order;
  switch (offer.productType) {
    case "VOUCHER":
      return { confirmation, receipt: receiptOf(order, offer, digest, confirmation) };
    case "ESIM":
      return { confirmation, esim: esimOf(order, digest, confirmation) };
    case "TOPUP":
    case "BILL_PAY":
      return { confirmation };
  }
}

function confirmationOf(digest: Buffer, fulfilledAt: number): Confirmation {
  return {
    confirmationNumber: digits(digest, 0, 15),
    externalReferenceId: `SIM-${digest.toString("hex", 6, 12).toUpperCase()}`,
    transactionTime: toTimestamp(fulfilledAt),
  };
}

/** The eSIM confirmation (rules#esim-confirmation): a profile of its own, or that of the eSIM it is added to. */
function esimOf(order: Order, digest: Buffer, confirmation: Confirmation): EsimConfirmation {
  const { iccid = iccidOf(digest) } = order.extras;
  return {
    activationCode: createHash("sha256").update(iccid).digest("hex").slice(0, 32).toUpperCase(),
    externalReferenceId: confirmation.externalReferenceId,
    iccid,
    redemptionInstructions:
      "Open the phone's settings, add an eSIM and scan the code. This is a test eSIM: it connects nowhere.",
    smdpAddress: "smdp.sandbox.example",
  };
}

/** 20 digits that begin with 89 and end with their check digit (rules#esim-confirmation, ITU-T E.118). */
function iccidOf(digest: Buffer): string {
  const body = `8900${digits(digest, 0, 15)}`;
  return body + luhnDigit(body);
}

function luhnDigit(body: string): string {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

/** The voucher receipt, by its delivery type (rules#voucher-receipt). */
function receiptOf(
  order: Order,
  offer: VoucherOffer,
  digest: Buffer,
  confirmation: Confirmation,
): NonNullable<Fulfilment["receipt"]> {
  const { deliveryType } = offer;
  const byLink = deliveryType === "REDEMPTION_URL" || deliveryType === "EMAIL";
  const toAccount = deliveryType === "DIRECT_CREDIT";
  return {
    deliveryType,
    confirmationNumber: confirmation.confirmationNumber,
    currency: offer.send.currency,
    epin: byLink || toAccount ? "" : digits(digest, 12, deliveryType === "TOKEN" ? 20 : 16),
    voucherId: `V${digest.toString("hex", 18, 24).toUpperCase()}`,
    redemptionUrl: byLink ? `https://redeem.example/${digest.toString("hex", 18, 26)}` : "",
    accountId: toAccount ? order.recipient : "",
    expiresAt: toTimestamp(Date.parse(confirmation.transactionTime) + VOUCHER_VALID_MS),
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
