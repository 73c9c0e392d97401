import { createHash } from "node:crypto";
import type { Family } from "../../contract/pos/families.ts";
import type { VoucherOffer } from "../../contract/v1/offers.ts";
import type { Confirmation } from "../../contract/v1/purchase-record.ts";
import { DAY, toTimestamp } from "../../lib/clock.ts";
import { normalizeEsim } from "../../lib/esim-profile.ts";
import type { FieldReader } from "../field-reader.ts";
import { digitsOf } from "../order-digest.ts";
import type { Order } from "../provider.ts";
import { isRedeemable } from "../redeemable.ts";
import { type Delivered, inputHead, inputValue, type SuppliedFamily } from "./family.ts";

/**
 * Family of orders for a new eSIM profile, or for a plan of an existing eSIM
 * (rules#esim-confirmation).
 */
const esimFamily: SuppliedFamily = {
  simulate: simulateEsim,
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    ...(order.extras.iccid !== undefined && { iccid: order.extras.iccid }),
  }),
  confirmation: "optional",
  readDelivered: readEsim,
};

function simulateEsim({ extras }: Order, digest: Buffer, confirmation: Confirmation): Delivered {
  const { iccid = iccidOf(digest) } = extras;
  return {
    esim: {
      activationCode: createHash("sha256").update(iccid).digest("hex").slice(0, 32).toUpperCase(),
      externalReferenceId: confirmation.externalReferenceId,
      iccid,
      redemptionInstructions:
        "Open the phone's settings, add an eSIM and scan the code. This is a test eSIM: it connects nowhere.",
      smdpAddress: "smdp.sandbox.example",
    },
  };
}

/**
 * Returns an ICCID: 20 digits that start with 89 and end with a check digit
 * (rules#esim-confirmation, ITU-T E.118).
 */
function iccidOf(digest: Buffer): string {
  const body = `8900${digitsOf(digest, 0, 15)}`;
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

function readEsim({ extras }: Order, record: FieldReader): Delivered {
  const given = record.part("confirmation", "optional");
  const isNew = extras.iccid === undefined;
  const written = {
    iccid: given.code("iccid", "needed"),
    smdpAddress: given.code("smdpAddress"),
    activationCode: given.code("activationCode", isNew ? "needed" : "optional"),
  };
  const profile = normalizeEsim(written);
  for (const name of ["iccid", "smdpAddress", "activationCode"] as const) {
    const isKept =
      profile[name] !== "" || (written[name] === "" && (name !== "smdpAddress" || !isNew));
    if (!isKept) given.note(name, written[name] === "" ? "MISSING" : "UNREADABLE", true);
    else if (profile[name] !== written[name]) given.note(name, "CONVERTED");
  }
  const { iccid } = profile;
  if (extras.iccid !== undefined && iccid !== "" && iccid !== extras.iccid) {
    given.note("iccid", "DIFFERS", true);
  }
  return {
    esim: {
      activationCode: profile.activationCode,
      externalReferenceId: given.text("externalReferenceId"),
      iccid: iccid || (extras.iccid ?? ""),
      redemptionInstructions: given.text("redemptionInstructions"),
      smdpAddress: profile.smdpAddress,
    },
  };
}

const VALID_MS = 365 * DAY;

/** Family of voucher orders (rules#voucher-receipt). */
const voucherFamily: SuppliedFamily = {
  simulate: simulateVoucher,
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    fields: order.extras.fields ?? [],
    ...inputValue(order),
  }),
  confirmation: "expected",
  readDelivered: readVoucher,
};

function simulateVoucher(order: Order, digest: Buffer, confirmation: Confirmation): Delivered {
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

function readVoucher(order: Order, record: FieldReader): Delivered {
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

const topupFamily: SuppliedFamily = {
  simulate: () => ({}),
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    recipientPhoneNumber: order.recipient,
    ...(order.extras.sender && { sender: order.extras.sender }),
    ...inputValue(order),
  }),
  confirmation: "needed",
  readDelivered: () => ({}),
};

const billFamily: SuppliedFamily = {
  simulate: () => ({}),
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    fields: order.extras.fields ?? [],
    ...inputValue(order),
    ...(order.extras.billSender && { sender: order.extras.billSender }),
    ...(order.extras.billRecipient && { recipient: order.extras.billRecipient }),
  }),
  confirmation: "needed",
  readDelivered: () => ({}),
};

export const SUPPLIED_FAMILIES: Readonly<Record<Family, SuppliedFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};
