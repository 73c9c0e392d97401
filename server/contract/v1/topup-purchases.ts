import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PhoneNumber,
  TransactionId,
} from "../common.ts";
import { allowances } from "./offers.ts";
import {
  Confirmation,
  PurchaseValue,
  purchaseRecord,
  quoting,
  toQuoteSchema,
} from "./purchase-record.ts";

/** `dto.TopupSender`. */
export const Sender = Input(
  {
    country: Type.Optional(CountryCode),
    phoneNumber: Type.Optional(PhoneNumber),
  },
  { title: "Sender", description: "Sender of a top-up" },
);
export type Sender = Static<typeof Sender>;

/** Topup purchase (rules#record-whole). */
export const TopupPurchase = Type.Object(
  {
    ...purchaseRecord,
    recipientPhoneNumber: Type.String(),
    send: MinorAmount,
    sendCurrency: CurrencyCode,
    sendCurrencyDivisor: CurrencyDivisor,
    sender: Type.Optional(Sender),
    confirmation: Type.Optional(Confirmation),
    ...allowances,
  },
  { title: "TopupPurchase", description: "A purchase of a top-up, bundle or data pack" },
);
export type TopupPurchase = Static<typeof TopupPurchase>;

export const TopupQuote = toQuoteSchema(TopupPurchase, "TopupQuote");

export const TopupPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["TIGO_GT_TOPUP_25"] }),
    transactionId: TransactionId,
    recipientPhoneNumber: PhoneNumber,
    sender: Type.Optional(Sender),
    value: Type.Optional(PurchaseValue),
    ...quoting,
  },
  { title: "TopupPurchaseInput", description: "Ordered offer and recipient" },
);
export type TopupPurchaseInput = Static<typeof TopupPurchaseInput>;
