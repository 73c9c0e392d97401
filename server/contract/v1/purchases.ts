import { type Static, Type } from "typebox";
import {
  CountryCode,
  CreatedAtFilter,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  Paged,
  PhoneNumber,
  PriceType,
  paging,
  Region,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { allowances } from "./offers.ts";

/** `dto.Error` of a failed transaction (spec §2.2). */
export const TransactionError = Type.Object({
  code: Type.String(),
  description: Type.String(),
  message: Type.String(),
});
export type TransactionError = Static<typeof TransactionError>;

/** `dto.TransactionLogItem` (spec §2.2). */
export const LogItem = Type.Object({
  dateTime: Timestamp,
  status: TransactionStatus,
  statusMessage: Type.String(),
});
export type LogItem = Static<typeof LogItem>;

/** Which side of the arithmetic a RANGE value names (decisions §3). */
const VALUE_TYPES = ["PRICE", "COST", "ZEND"] as const;

/** `dto.PurchaseValue`: PRICE is what the customer pays, COST what the client pays, ZEND what is delivered. */
export const PurchaseValue = Input({
  type: Type.Enum(VALUE_TYPES),
  value: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
export type PurchaseValue = Static<typeof PurchaseValue>;

/** `dto.TopupSender` (spec §2.2). */
export const Sender = Input({
  country: Type.Optional(CountryCode),
  phoneNumber: Type.Optional(PhoneNumber),
});
export type Sender = Static<typeof Sender>;

/** Confirmation of a top-up (spec §2.6). */
export const Confirmation = Type.Object({
  confirmationNumber: Type.String(),
  externalReferenceId: Type.String(),
  transactionTime: Type.String(),
});
export type Confirmation = Static<typeof Confirmation>;

/** Purchase record common fields, in the order of spec §2.6. */
const purchaseRecord = {
  transactionId: TransactionId,
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String(),
  status: TransactionStatus,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  error: Type.Optional(TransactionError),
  log: Type.Array(LogItem),
  cost: MinorAmount,
  costBase: MinorAmount,
  costFee: MinorAmount,
  costCurrency: CurrencyCode,
  costCurrencyDivisor: CurrencyDivisor,
  price: MinorAmount,
  priceBase: MinorAmount,
  priceFee: MinorAmount,
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  priceType: PriceType,
  productType: Type.String(),
  regions: Type.Array(Region),
  subTypes: Type.Array(Type.String()),
  notes: Type.String(),
  shortNotes: Type.String(),
  value: Type.Optional(PurchaseValue),
};

/** Topup purchase (spec §2.6). */
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
  { title: "TopupPurchase" },
);
export type TopupPurchase = Static<typeof TopupPurchase>;

export const TopupPurchasePage = Paged(TopupPurchase);

/** `dto.VoucherField` (spec §2.2). */
const VoucherField = Input({
  key: Type.String({ minLength: 1, maxLength: 128, examples: ["recipient.msisdn"] }),
  value: Type.String({ maxLength: 512, examples: ["+50251234567"] }),
});
export type VoucherField = Static<typeof VoucherField>;

/** What the buyer of a voucher is given (spec §2.6). */
const VoucherReceipt = Type.Object({
  deliveryType: Type.String(),
  confirmationNumber: Type.String(),
  currency: CurrencyCode,
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
});
export type VoucherReceipt = Static<typeof VoucherReceipt>;

/** Voucher purchase (spec §2.6). */
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
  { title: "VoucherPurchase" },
);
export type VoucherPurchase = Static<typeof VoucherPurchase>;

export const VoucherPurchasePage = Paged(VoucherPurchase);

/** What a provider hands over with a fulfilled order, by family. */
export interface Fulfilment {
  confirmation: Confirmation;
  receipt?: VoucherReceipt;
}

/** Query of the purchase lists (spec §4.3). */
export const PurchaseQuery = Input({
  ...paging,
  createdAt: Type.Optional(CreatedAtFilter),
  status: Type.Optional(TransactionStatus),
});
export type PurchaseQuery = Static<typeof PurchaseQuery>;

/** Body of `POST /topups/purchases` (spec §4.3). */
export const TopupPurchaseInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["TIGO_GT_TOPUP_25"] }),
  transactionId: TransactionId,
  recipientPhoneNumber: PhoneNumber,
  sender: Type.Optional(Sender),
  value: Type.Optional(PurchaseValue),
});
export type TopupPurchaseInput = Static<typeof TopupPurchaseInput>;

/** Body of `POST /vouchers/purchases` (spec §4.4). */
export const VoucherPurchaseInput = Input({
  offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AMAZON_US_GIFT_25"] }),
  transactionId: TransactionId,
  fields: Type.Array(VoucherField, { maxItems: 64 }),
  value: Type.Optional(PurchaseValue),
});
export type VoucherPurchaseInput = Static<typeof VoucherPurchaseInput>;

/** Answer of every purchase operation. */
export const PurchaseAccepted = Type.Object({
  status: TransactionStatus,
  transactionId: TransactionId,
});
export type PurchaseAccepted = Static<typeof PurchaseAccepted>;

export const TransactionParams = Input({ transactionId: TransactionId });
