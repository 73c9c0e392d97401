import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PhoneNumber,
  PLAIN_TEXT,
  TransactionId,
} from "../common.ts";
import {
  Confirmation,
  PurchaseValue,
  purchaseRecord,
  quoting,
  toQuoteSchema,
  VoucherField,
} from "./purchase-record.ts";

const PersonName = Type.String({
  ...PLAIN_TEXT,
  minLength: 1,
  maxLength: 128,
  examples: ["Ana"],
});
const PersonText = Type.String({ ...PLAIN_TEXT, maxLength: 256 });

/** A postal address (rules#bill-parties). */
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

/** The recipient of a bill payment (rules#bill-parties). */
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
  description: "Receiver of the payment",
});
export type BillPayRecipient = Static<typeof BillPayRecipient>;

/** The payer of a bill (rules#bill-parties). */
export const BillPaySender = Input(
  {
    ...person,
    employerName: Type.Optional(PersonText),
    employerAddress: Type.Optional(Address),
    relationToRecipient: Type.Optional(PersonText),
    sourceOfFunds: Type.Optional(PersonText),
  },
  { title: "BillPaySender", description: "Payer of a bill" },
);
export type BillPaySender = Static<typeof BillPaySender>;

/** BillPay purchase (rules#record-whole). */
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

export const BillPayQuote = toQuoteSchema(BillPayPurchase, "BillPayQuote");

export const BillPayPurchaseInput = Input(
  {
    offerId: Type.String({ minLength: 1, maxLength: 128, examples: ["AYSA_AR_BILL_WATER"] }),
    transactionId: TransactionId,
    fields: Type.Array(VoucherField, { maxItems: 64 }),
    value: Type.Optional(PurchaseValue),
    sender: Type.Optional(BillPaySender),
    recipient: Type.Optional(BillPayRecipient),
    ...quoting,
  },
  {
    title: "BillPayPurchaseInput",
    description: "Paid offer, with its required fields",
  },
);
export type BillPayPurchaseInput = Static<typeof BillPayPurchaseInput>;
