import { type Static, type TObject, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PLAIN_TEXT,
  PriceType,
  Region,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { CreatedAtFilter, UpdatedAtFilter } from "../created-at-filter.ts";
import { paging } from "../paging.ts";

/** `dto.Error` of a failed transaction (rules#purchase-failure-codes). */
export const TransactionError = Type.Object(
  {
    code: Type.String(),
    description: Type.String(),
    message: Type.String(),
  },
  { title: "TransactionError", description: "Error of a failed transaction" },
);
export type TransactionError = Static<typeof TransactionError>;

/** `dto.TransactionLogItem` (rules#purchase-log). */
export const LogItem = Type.Object(
  {
    dateTime: Timestamp,
    status: TransactionStatus,
    statusMessage: Type.String(),
  },
  { title: "LogItem", description: "A step of a transaction" },
);
export type LogItem = Static<typeof LogItem>;

/** Kinds of RANGE values (rules#money-value-types). */
const VALUE_TYPES = ["PRICE", "COST", "ZEND"] as const;

/**
 * `dto.PurchaseValue`: PRICE is the customer's price, COST the client's cost,
 * ZEND the delivered amount.
 */
export const PurchaseValue = Input(
  {
    type: Type.Enum(VALUE_TYPES),
    value: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  },
  {
    title: "PurchaseValue",
    description:
      "Amount of a RANGE offer: PRICE is the customer's price, COST the wallet's cost, ZEND the delivered amount",
  },
);
export type PurchaseValue = Static<typeof PurchaseValue>;

/** Reasons why the redeemable details of a record are empty texts. */
export const Withheld = Type.Enum(["ERASED", "UNREADABLE"], {
  description:
    "Reason why secrets are empty texts: ERASED by the shop; UNREADABLE, because their encryption key is missing",
});

export const Confirmation = Type.Object(
  {
    confirmationNumber: Type.String(),
    externalReferenceId: Type.String(),
    transactionTime: Type.String(),
  },
  { title: "Confirmation", description: "The provider's confirmation" },
);
export type Confirmation = Static<typeof Confirmation>;

/** Fields of all purchase records, in response order (rules#record-order). */
export const purchaseRecord = {
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

/** Part of the input of every purchase (docs/decisions/0103). */
export const quoting = {
  validateOnly: Type.Optional(
    Type.Boolean({
      description:
        "True for a quote instead of a purchase: makes the same checks and stores nothing",
    }),
  ),
};

/** Fields of the records that a purchase receives when it is stored, or later. */
const UNQUOTED = [
  "status",
  "createdAt",
  "updatedAt",
  "error",
  "log",
  "confirmation",
  "receipt",
  "refund",
];

/** Returns the schema of a record before its purchase. */
export function toQuoteSchema(record: TObject, title: string): TObject {
  const quoted = Object.entries(record.properties).filter(([name]) => !UNQUOTED.includes(name));
  const description = "The record that this purchase would have, without its outcome";
  return Type.Object(Object.fromEntries(quoted), { title, description });
}

/** `dto.VoucherField` (rules#voucher-fields). */
export const VoucherField = Input(
  {
    key: Type.String({
      ...PLAIN_TEXT,
      minLength: 1,
      maxLength: 128,
      examples: ["recipient.msisdn"],
    }),
    value: Type.String({ ...PLAIN_TEXT, maxLength: 512, examples: ["+50251234567"] }),
  },
  {
    title: "VoucherField",
    description: "A field that the offer requires, or that its provider may use",
  },
);
export type VoucherField = Static<typeof VoucherField>;

export const PurchaseQuery = Input({
  ...paging,
  createdAt: Type.Optional(CreatedAtFilter),
  status: Type.Optional(TransactionStatus),
  updatedAt: Type.Optional(UpdatedAtFilter),
});
export type PurchaseQuery = Static<typeof PurchaseQuery>;

export const PurchaseAccepted = Type.Object(
  {
    status: TransactionStatus,
    transactionId: TransactionId,
  },
  { title: "PurchaseAccepted", description: "The purchase was stored; poll it by its id" },
);
export type PurchaseAccepted = Static<typeof PurchaseAccepted>;

export const TransactionParams = Input({ transactionId: TransactionId });
