import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { withoutControls } from "../../lib/control-characters.ts";
import type { Order } from "../supplier.ts";
import { UpstreamUnclear } from "./upstream-call.ts";
import type { UpstreamPurchase } from "./upstream-records.ts";

/** Delivered by a number that the buyer types or shows: a receipt without one is worth nothing. */
const NUMBERED = new Set(["EPIN", "TOKEN", "PIN", "BARCODE"]);
const ICCID = /^89\d{16,18}$/;

/**
 * What an upstream handed over with an order it calls DONE.
 * @throws UpstreamUnclear when the buyer could do nothing with it
 */
export function readFulfilment(order: Order, said: UpstreamPurchase): Fulfilment {
  const record = {
    ...said,
    ...(said.confirmation && { confirmation: cleaned(said.confirmation) }),
    ...(said.receipt && { receipt: cleaned(said.receipt) }),
  };
  const given = record.confirmation;
  if (!given) throw new UpstreamUnclear("It says DONE and confirms nothing.");
  const confirmation = {
    confirmationNumber: given.confirmationNumber ?? "",
    externalReferenceId: given.externalReferenceId ?? "",
    transactionTime: given.transactionTime ?? record.updatedAt ?? "",
  };
  switch (order.offer.productType) {
    case "VOUCHER":
      return { confirmation, receipt: readReceipt(order, record) };
    case "ESIM":
      return { confirmation, esim: readEsim(order, given) };
    case "TOPUP":
    case "BILL_PAY":
      return { confirmation };
  }
}

/** It is printed, and shown by terminals. */
function cleaned<Part extends Record<string, unknown>>(part: Part): Part {
  const clean = (value: unknown) => (typeof value === "string" ? withoutControls(value) : value);
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, clean(value)]),
  ) as Part;
}

function readReceipt(order: Order, { receipt }: UpstreamPurchase) {
  const { offer } = order;
  if (!receipt || offer.productType !== "VOUCHER") {
    throw new UpstreamUnclear("It says DONE and hands over no receipt.");
  }
  const { epin = "", redemptionUrl = "", accountId = "", voucherId = "" } = receipt;
  const deliveryType = receipt.deliveryType ?? offer.deliveryType;
  const usable = NUMBERED.has(deliveryType)
    ? epin !== "" || redemptionUrl !== ""
    : [epin, redemptionUrl, accountId, voucherId].some((text) => text !== "");
  if (!usable) throw new UpstreamUnclear("It says DONE and the receipt has no number.");
  return {
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
  };
}

function readEsim(order: Order, given: NonNullable<UpstreamPurchase["confirmation"]>) {
  const { iccid = "", activationCode = "", smdpAddress = "" } = given;
  if (!ICCID.test(iccid)) throw new UpstreamUnclear("It says DONE and names no eSIM.");
  const wanted = order.extras.iccid;
  if (wanted !== undefined && wanted !== iccid) {
    throw new UpstreamUnclear("It says DONE for another eSIM.");
  }
  if (wanted === undefined && (activationCode === "" || smdpAddress === "")) {
    throw new UpstreamUnclear("It says DONE and the eSIM cannot be installed.");
  }
  return {
    activationCode,
    externalReferenceId: given.externalReferenceId ?? "",
    iccid,
    redemptionInstructions: given.redemptionInstructions ?? "",
    smdpAddress,
  };
}
