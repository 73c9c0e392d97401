import type { BillPayPurchaseInput } from "../../contract/v1/billpay-purchases.ts";
import type { EsimPurchaseInput } from "../../contract/v1/esim-purchases.ts";
import type { TopupPurchaseInput } from "../../contract/v1/topup-purchases.ts";
import type { VoucherPurchaseInput } from "../../contract/v1/voucher-purchases.ts";
import type { Order } from "../supplier.ts";

type PurchaseInput =
  | TopupPurchaseInput
  | VoucherPurchaseInput
  | EsimPurchaseInput
  | BillPayPurchaseInput;

/** The body that buys an order at another gateway, under our transaction id (rules#idempotency-upstream-key). */
export function toPurchaseInput({
  offer,
  transactionId,
  recipient,
  extras,
  send,
}: Order): PurchaseInput {
  const head = { offerId: offer.offerId, transactionId };
  // What is delivered is the same at both ends; cost and price have each their own.
  const value =
    offer.priceType === "RANGE" ? { value: { type: "ZEND" as const, value: send } } : {};
  switch (offer.productType) {
    case "TOPUP": {
      const sender = extras.sender && { sender: extras.sender };
      return { ...head, recipientPhoneNumber: recipient, ...sender, ...value };
    }
    case "VOUCHER":
      return { ...head, fields: extras.fields ?? [], ...value };
    case "ESIM":
      return { ...head, ...(extras.iccid !== undefined && { iccid: extras.iccid }) };
    case "BILL_PAY":
      return {
        ...head,
        fields: extras.fields ?? [],
        ...value,
        ...(extras.billSender && { sender: extras.billSender }),
        ...(extras.billRecipient && { recipient: extras.billRecipient }),
      };
  }
}
