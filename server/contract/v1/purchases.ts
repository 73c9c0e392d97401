import { type Static, Type } from "typebox";
import {
  CountryCode,
  CreatedAtFilter,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PhoneNumber,
  PLAIN_TEXT,
  PriceType,
  paging,
  Region,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { allowances, esimAllowances } from "./offers.ts";

/** `dto.Error` of a failed transaction (spec §2.2). */
export const TransactionError = Type.Object(
  {
    code: Type.String(),
    description: Type.String(),
    message: Type.String(),
  },
  { title: "TransactionError", description: "Why a transaction failed" },
);
export type TransactionError = Static<typeof TransactionError>;

/** `dto.TransactionLogItem` (spec §2.2). */
export const LogItem = Type.Object(
  {
    dateTime: Timestamp,
    status: TransactionStatus,
    statusMessage: Type.String(),
  },
  { title: "LogItem", description: "A step of a transaction" },
);
export type LogItem = Static<typeof LogItem>;

/** Which side of the arithmetic a RANGE value names (decisions §3). */
const VALUE_TYPES = ["PRICE", "COST", "ZEND"] as const;

/** `dto.PurchaseValue`: PRICE is what the customer pays, COST what the client pays, ZEND what is delivered. */
export const PurchaseValue = Input(
  {
    type: Type.Enum(VALUE_TYPES),
    value: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  },
  {
    title: "PurchaseValue",
    description:
      "How much of a RANGE offer: PRICE is what the customer pays, COST what the wallet pays, ZEND what is delivered",
  },
);
export type PurchaseValue = Static<typeof PurchaseValue>;

/** `dto.TopupSender` (spec §2.2). */
export const Sender = Input(
  {
    country: Type.Optional(CountryCode),
    phoneNumber: Type.Optional(PhoneNumber),
  },
  { title: "Sender", description: "Who sends a top-up" },
);
export type Sender = Static<typeof Sender>;

/** Confirmation of a top-up (spec §2.6). */
export const Confirmation = Type.Object(
  {
    confirmationNumber: Type.String(),
    externalReferenceId: Type.String(),
    transactionTime: Type.String(),
  },
  { title: "Confirmation", description: "The provider's confirmation" },
);
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
  { title: "TopupPurchase", description: "A purchase of a top-up, bundle or data pack" },
);
export type TopupPurchase = Static<typeof TopupPurchase>;

/** `dto.VoucherField` (spec §2.2). */
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
    description: "A field that the offer requires, or one that its provider may have use for",
  },
);
export type VoucherField = Static<typeof VoucherField>;

/** What the buyer of a voucher is given (spec §2.6). */
const VoucherReceipt = Type.Object(
  {
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
  },
  { title: "VoucherReceipt", description: "What the customer is given" },
);
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
  { title: "VoucherPurchase", description: "A purchase of a gift card or utility voucher" },
);
export type VoucherPurchase = Static<typeof VoucherPurchase>;

/** Integrated Circuit Card Identifier of an eSIM: 18 to 20 digits that begin with 89. */
export const Iccid = Type.String({
  pattern: "^89[0-9]{16,18}$",
  description: "an ICCID: 89 and 16 to 18 more digits",
  examples: ["89014103211118510720"],
});

/** Confirmation of an eSIM (spec §2.6): what a phone is told to download the profile. */
const EsimConfirmation = Type.Object(
  {
    activationCode: Type.String(),
    externalReferenceId: Type.String(),
    iccid: Type.String(),
    redemptionInstructions: Type.String(),
    smdpAddress: Type.String(),
  },
  { title: "EsimConfirmation", description: "What a phone needs to install the eSIM" },
);
export type EsimConfirmation = Static<typeof EsimConfirmation>;

/** eSIM purchase (spec §2.6); `refund` once one was asked for (decisions §1). */
export const EsimPurchase = Type.Object(
  {
    ...purchaseRecord,
    confirmation: Type.Optional(EsimConfirmation),
    ...esimAllowances,
    refund: Type.Optional(Type.Object({ status: TransactionStatus })),
  },
  { title: "EsimPurchase", description: "A purchase of an eSIM plan" },
);
export type EsimPurchase = Static<typeof EsimPurchase>;

const PersonName = Type.String({
  ...PLAIN_TEXT,
  minLength: 1,
  maxLength: 128,
  examples: ["Ana"],
});
const PersonText = Type.String({ ...PLAIN_TEXT, maxLength: 256 });

/** A postal address (decisions §8). */
const Address = Input(
  {
    line1: Type.String({
      ...PLAIN_TEXT,
      minLength: 1,
      maxLength: 256,
      examples: ["12 Calle 1-25"],
    }),
    line2: Type.Optional(PersonText),
    city: Type.String({ ...PLAIN_TEXT, minLength: 1, maxLength: 128, examples: ["Guatemala"] }),
    subdivision: Type.Optional(PersonText),
    zip: Type.Optional(Type.String({ ...PLAIN_TEXT, maxLength: 32 })),
    country: CountryCode,
  },
  { title: "Address", description: "A postal address" },
);

/** Who receives a bill payment (decisions §8). */
const person = {
  firstName: PersonName,
  lastName: PersonName,
  homeAddress: Address,
  middleName: Type.Optional(PersonText),
  email: Type.Optional(PersonText),
  phone: Type.Optional(PhoneNumber),
  dateOfBirth: Type.Optional(Type.String({ format: "date", examples: ["1990-04-23"] })),
  gender: Type.Optional(PersonText),
  nationality: Type.Optional(PersonText),
  occupation: Type.Optional(PersonText),
  mothersMaidenName: Type.Optional(PersonText),
};
export const BillPayRecipient = Input(person, {
  title: "BillPayRecipient",
  description: "Whose bill is paid",
});
export type BillPayRecipient = Static<typeof BillPayRecipient>;

/** Who pays a bill (decisions §8). */
export const BillPaySender = Input(
  {
    ...person,
    employerName: Type.Optional(PersonText),
    employerAddress: Type.Optional(Address),
    relationToRecipient: Type.Optional(PersonText),
    sourceOfFunds: Type.Optional(PersonText),
  },
  { title: "BillPaySender", description: "Who pays a bill" },
);
export type BillPaySender = Static<typeof BillPaySender>;

/** BillPay purchase (decisions §8). */
export const BillPayPurchase = Type.Object(
  {
    ...purchaseRecord,
    send: MinorAmount,
    sendCurrency: CurrencyCode,
    sendCurrencyDivisor: CurrencyDivisor,
    fields: Type.Array(VoucherField),
    sender: Type.Optional(BillPaySender),
    recipient: Type.Optional(BillPayRecipient),
    confirmation: Type.Optional(Confirmation),
  },
  { title: "BillPayPurchase", description: "A payment of a bill" },
);
export type BillPayPurchase = Static<typeof BillPayPurchase>;

/** What a provider hands over with a fulfilled order, by family. */
export interface Fulfilment {
  confirmation: Confirmation;
  /** Of a voucher. */
  receipt?: VoucherReceipt;
  /** Of an eSIM. */
  esim?: EsimConfirmation;
}

/** What the buyer gave beside offer, recipient and value, by family. */
export interface PurchaseExtras {
  /** Of a top-up. */
  sender?: Sender;
  /** Of a voucher or a bill payment. */
  fields?: VoucherField[];
  /** The eSIM that a plan is added to. */
  iccid?: string;
  /** Of a bill payment. */
  billSender?: BillPaySender;
  billRecipient?: BillPayRecipient;
}

/** Query of the purchase lists (spec §4.3). */
export const PurchaseQuery = Input({
  ...paging,
  createdAt: Type.Optional(CreatedAtFilter),
  status: Type.Optional(TransactionStatus),
});
export type PurchaseQuery = Static<typeof PurchaseQuery>;

/** Body of `POST /topups/purchases` (spec §4.3). */
export const TopupPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["TIGO_GT_TOPUP_25"] }),
    transactionId: TransactionId,
    recipientPhoneNumber: PhoneNumber,
    sender: Type.Optional(Sender),
    value: Type.Optional(PurchaseValue),
  },
  { title: "TopupPurchaseInput", description: "What is bought, and for whom" },
);
export type TopupPurchaseInput = Static<typeof TopupPurchaseInput>;

/** Body of `POST /vouchers/purchases` (spec §4.4). */
export const VoucherPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AMAZON_US_GIFT_25"] }),
    transactionId: TransactionId,
    fields: Type.Array(VoucherField, { maxItems: 64 }),
    value: Type.Optional(PurchaseValue),
  },
  {
    title: "VoucherPurchaseInput",
    description: "What is bought, with the fields that its offer requires",
  },
);
export type VoucherPurchaseInput = Static<typeof VoucherPurchaseInput>;

/** Body of `POST /esim/purchases` (spec §4.5). */
export const EsimPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AIRALO_ES_1GB_7D"] }),
    transactionId: TransactionId,
    iccid: Type.Optional(Iccid),
  },
  {
    title: "EsimPurchaseInput",
    description: "What is bought; with an iccid it is added to that eSIM",
  },
);
export type EsimPurchaseInput = Static<typeof EsimPurchaseInput>;

/** Body of `POST /billpay/purchases` (decisions §8). */
export const BillPayPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AYSA_AR_BILL_WATER"] }),
    transactionId: TransactionId,
    fields: Type.Array(VoucherField, { maxItems: 64 }),
    value: Type.Optional(PurchaseValue),
    sender: Type.Optional(BillPaySender),
    recipient: Type.Optional(BillPayRecipient),
  },
  {
    title: "BillPayPurchaseInput",
    description: "What is paid, with the fields that its offer requires",
  },
);
export type BillPayPurchaseInput = Static<typeof BillPayPurchaseInput>;

/** Answer of every purchase operation. */
export const PurchaseAccepted = Type.Object(
  {
    status: TransactionStatus,
    transactionId: TransactionId,
  },
  { title: "PurchaseAccepted", description: "The purchase was written down; poll it by its id" },
);
export type PurchaseAccepted = Static<typeof PurchaseAccepted>;

export const TransactionParams = Input({ transactionId: TransactionId });
