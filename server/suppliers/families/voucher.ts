import type { VoucherOffer } from "../../contract/v1/offers.ts";
import type { Confirmation } from "../../contract/v1/purchase-record.ts";
import { DAY, toTimestamp } from "../../lib/clock.ts";
import { digitsOf } from "../order-digest.ts";
import type { Order } from "../supplier.ts";
import { UpstreamUnclear } from "../upstream/upstream-call.ts";
import type { UpstreamPurchase } from "../upstream/upstream-records.ts";
import { type Delivered, inputHead, inputValue, type SuppliedFamily } from "./family.ts";

const VALID_MS = 365 * DAY;
/** Delivered by a number that the buyer types or shows: a receipt without one is worth nothing. */
const NUMBERED = new Set(["EPIN", "TOKEN", "PIN", "BARCODE"]);

/** A voucher is a receipt, by its delivery type (rules#voucher-receipt). */
export const voucherFamily: SuppliedFamily = {
  simulate,
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    fields: order.extras.fields ?? [],
    ...inputValue(order),
  }),
  readDelivered,
};

function simulate(order: Order, digest: Buffer, confirmation: Confirmation): Delivered {
  const offer = voucherOf(order);
  const { deliveryType } = offer;
  const byLink = deliveryType === "REDEMPTION_URL" || deliveryType === "EMAIL";
  const toAccount = deliveryType === "DIRECT_CREDIT";
  return {
    receipt: {
      deliveryType,
      confirmationNumber: confirmation.confirmationNumber,
      currency: offer.send.currency,
      epin: byLink || toAccount ? "" : digitsOf(digest, 12, deliveryType === "TOKEN" ? 20 : 16),
      voucherId: `V${digest.toString("hex", 18, 24).toUpperCase()}`,
      redemptionUrl: byLink ? `https://redeem.example/${digest.toString("hex", 18, 26)}` : "",
      accountId: toAccount ? order.recipient : "",
      expiresAt: toTimestamp(Date.parse(confirmation.transactionTime) + VALID_MS),
      instructions: "This is a test voucher: it cannot be redeemed.",
      notes: "",
      recipientCustomerServiceNumber: "+18005550100",
      senderCustomerServiceNumber: "+18005550101",
      terms: "Test environment. No value.",
      send: order.send,
    },
  };
}

function readDelivered(order: Order, { receipt }: UpstreamPurchase): Delivered {
  const offer = voucherOf(order);
  if (!receipt) throw new UpstreamUnclear("It says DONE and hands over no receipt.");
  const { epin = "", redemptionUrl = "", accountId = "", voucherId = "" } = receipt;
  const deliveryType = receipt.deliveryType ?? offer.deliveryType;
  const usable = NUMBERED.has(deliveryType)
    ? epin !== "" || redemptionUrl !== ""
    : [epin, redemptionUrl, accountId, voucherId].some((text) => text !== "");
  if (!usable) throw new UpstreamUnclear("It says DONE and the receipt has no number.");
  return {
    receipt: {
      deliveryType,
      confirmationNumber: receipt.confirmationNumber ?? "",
      currency: offer.send.currency,
      epin,
      voucherId,
      redemptionUrl,
      accountId,
      expiresAt: receipt.expiresAt ?? "",
      instructions: receipt.instructions ?? "",
      notes: receipt.notes ?? "",
      recipientCustomerServiceNumber: receipt.recipientCustomerServiceNumber ?? "",
      senderCustomerServiceNumber: receipt.senderCustomerServiceNumber ?? "",
      terms: receipt.terms ?? "",
      send: order.send,
    },
  };
}

function voucherOf({ offer }: Order): VoucherOffer {
  if (offer.productType === "VOUCHER") return offer;
  throw new RangeError(`${offer.offerId} is no voucher, but a ${offer.productType}`);
}
