import type { VoucherOffer } from "../../contract/v1/offers.ts";
import type { Confirmation } from "../../contract/v1/purchase-record.ts";
import { DAY, toTimestamp } from "../../lib/clock.ts";
import type { FieldReader } from "../field-reader.ts";
import { digitsOf } from "../order-digest.ts";
import type { Order } from "../provider.ts";
import { isRedeemable } from "../redeemable.ts";
import { type Delivered, inputHead, inputValue, type SuppliedFamily } from "./family.ts";

const VALID_MS = 365 * DAY;

/** Family of voucher orders (rules#voucher-receipt). */
export const voucherFamily: SuppliedFamily = {
  simulate,
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    fields: order.extras.fields ?? [],
    ...inputValue(order),
  }),
  confirmation: "expected",
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

function readDelivered(order: Order, record: FieldReader): Delivered {
  const offer = voucherOf(order);
  const receipt = record.part("receipt", "needed");
  const deliveryType = receipt.word("deliveryType") || offer.deliveryType;
  const expected = receipt.isObject ? "expected" : "optional";
  const delivered = {
    deliveryType,
    confirmationNumber: receipt.text("confirmationNumber", expected),
    currency: offer.send.currency,
    epin: receipt.code("epin"),
    voucherId: receipt.code("voucherId"),
    redemptionUrl: readLink(receipt, "redemptionUrl"),
    accountId: receipt.text("accountId"),
    expiresAt: receipt.time("expiresAt", expected, "23:59:59Z"),
    instructions: receipt.text("instructions"),
    notes: receipt.text("notes"),
    recipientCustomerServiceNumber: receipt.text("recipientCustomerServiceNumber"),
    senderCustomerServiceNumber: receipt.text("senderCustomerServiceNumber"),
    terms: receipt.text("terms"),
    send: order.send,
  };
  receipt.text("currency");
  receipt.amount("send");
  const isUsable = isRedeemable(order, { receipt: delivered });
  if (receipt.isObject && !isUsable) {
    receipt.note(deliveryType === "REDEMPTION_URL" ? "redemptionUrl" : "epin", "MISSING", true);
  }
  return { receipt: delivered };
}

/** Reads an http or https URL. Returns an empty text for other values. */
function readLink(receipt: FieldReader, name: string): string {
  const text = receipt.code(name);
  if (text === "" || /^https?:\/\//i.test(text)) return text;
  receipt.note(name, "UNREADABLE");
  return "";
}

function voucherOf({ offer }: Order): VoucherOffer {
  if (offer.productType === "VOUCHER") return offer;
  throw new RangeError(`${offer.offerId} is no voucher, but a ${offer.productType}`);
}
