import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount, TransactionId } from "../common.ts";
import {
  Confirmation,
  PurchaseValue,
  purchaseRecord,
  quoting,
  toQuoteSchema,
  VoucherField,
  Withheld,
} from "./purchase-record.ts";

/** Delivered receipt of a voucher (rules#voucher-receipt). */
export const VoucherReceipt = Type.Object(
  {
    deliveryType: Type.String(),
    confirmationNumber: Type.String(),
    currency: CurrencyCode,
    currencyDivisor: CurrencyDivisor,
    epin: Type.String(),
    voucherId: Type.String(),
    redemptionUrl: Type.String(),
    accountId: Type.String(),
    expiresAt: Type.String(),
    instructions: Type.String(),
    notes: Type.String(),
    recipientCustomerServiceNumber: Type.String(),
    senderCustomerServiceNumber: Type.String(),
    terms: Type.String(),
    send: MinorAmount,
    withheld: Type.Optional(Withheld),
  },
  { title: "VoucherReceipt", description: "Receipt of a delivered voucher" },
);
export type VoucherReceipt = Static<typeof VoucherReceipt>;

/** Voucher purchase (rules#record-whole). */
export const VoucherPurchase = Type.Object(
  {
    ...purchaseRecord,
    send: MinorAmount,
    sendCurrency: CurrencyCode,
    sendCurrencyDivisor: CurrencyDivisor,
    fields: Type.Array(VoucherField),
    confirmation: Type.Optional(Confirmation),
    receipt: Type.Optional(VoucherReceipt),
  },
  { title: "VoucherPurchase", description: "A purchase of a gift card or utility voucher" },
);
export type VoucherPurchase = Static<typeof VoucherPurchase>;

export const VoucherQuote = toQuoteSchema(VoucherPurchase, "VoucherQuote");

export const VoucherPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AMAZON_US_GIFT_25"] }),
    transactionId: TransactionId,
    fields: Type.Array(VoucherField, { maxItems: 64 }),
    value: Type.Optional(PurchaseValue),
    ...quoting,
  },
  {
    title: "VoucherPurchaseInput",
    description: "Ordered offer, with its required fields",
  },
);
export type VoucherPurchaseInput = Static<typeof VoucherPurchaseInput>;
