import { ERROR, ESIM_ALLOWANCES, TOPUP_ALLOWANCES } from "./contract-catalog-records.ts";
import type { ShapeOfObject } from "./record-shape.ts";

/** Purchase and transaction records of `/v1`, written by hand (rules#v1-only-grows). */

const LOG = [{ dateTime: "time", status: "text", statusMessage: "text" }] as const;

export const ACCEPTED: ShapeOfObject = { status: "text", transactionId: "text" };
const PURCHASE = {
  transactionId: "text",
  offerId: "text",
  brand: "text",
  "brandName+": "text",
  country: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  "error?": ERROR,
  log: LOG,
  cost: "integer",
  "costBase+": "integer",
  "costFee+": "integer",
  costCurrency: "text",
  costCurrencyDivisor: "integer",
  price: "integer",
  "priceBase+": "integer",
  "priceFee+": "integer",
  priceCurrency: "text",
  priceCurrencyDivisor: "integer",
  priceType: "text",
  productType: "text",
  regions: ["text"],
  subTypes: ["text"],
  notes: "text",
  shortNotes: "text",
  "value?": { type: "text", value: "integer" },
} as const;
const SENT = { send: "integer", sendCurrency: "text", sendCurrencyDivisor: "integer" } as const;
const CONFIRMATION = {
  confirmationNumber: "text",
  externalReferenceId: "text",
  transactionTime: "time",
} as const;
const FIELDS = [{ key: "text", value: "text" }] as const;
export const TOPUP_PURCHASE: ShapeOfObject = {
  ...PURCHASE,
  recipientPhoneNumber: "text",
  ...SENT,
  "sender?": { "country?": "text", "phoneNumber?": "text" },
  "confirmation?": CONFIRMATION,
  ...TOPUP_ALLOWANCES,
};
export const VOUCHER_PURCHASE: ShapeOfObject = {
  ...PURCHASE,
  ...SENT,
  fields: FIELDS,
  "confirmation?": CONFIRMATION,
  "receipt?": {
    deliveryType: "text",
    confirmationNumber: "text",
    currency: "text",
    "currencyDivisor+": "integer",
    epin: "text",
    voucherId: "text",
    redemptionUrl: "text",
    accountId: "text",
    expiresAt: "text",
    instructions: "text",
    notes: "text",
    recipientCustomerServiceNumber: "text",
    senderCustomerServiceNumber: "text",
    terms: "text",
    send: "integer",
  },
};
export const ESIM_PURCHASE: ShapeOfObject = {
  ...PURCHASE,
  "confirmation?": {
    activationCode: "text",
    externalReferenceId: "text",
    iccid: "text",
    redemptionInstructions: "text",
    smdpAddress: "text",
  },
  ...ESIM_ALLOWANCES,
  "refund+?": { status: "text" },
};
const ADDRESS = {
  line1: "text",
  "line2?": "text",
  city: "text",
  "subdivision?": "text",
  "zip?": "text",
  country: "text",
} as const;
const PERSON = { firstName: "text", lastName: "text", homeAddress: ADDRESS } as const;
/** rules#bill-parties */
export const BILLPAY_PURCHASE: ShapeOfObject = {
  ...PURCHASE,
  ...SENT,
  fields: FIELDS,
  "sender?": PERSON,
  "recipient?": PERSON,
  "confirmation?": CONFIRMATION,
};
export const ESIM_PLANS: ShapeOfObject = {
  list: [
    {
      description: "text",
      endAt: "text",
      iccid: "text",
      initialDataGB: "number",
      offerId: "text",
      reamainingDataGB: "number",
      "remainingDataGB+": "number",
      startAt: "text",
      status: "text",
      "unlimited+": "boolean",
    },
  ],
  total: "integer",
  "firstInstalledAt+": "text",
};
export const TRANSACTION: ShapeOfObject = {
  transactionId: "text",
  amount: "integer",
  currency: "text",
  currencyDivisor: "integer",
  type: "text",
  productType: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  "error?": ERROR,
  log: LOG,
};
export const REFUND: ShapeOfObject = {
  "transactionId+": "text",
  amount: "integer",
  currency: "text",
  "currencyDivisor+": "integer",
  type: "text",
  productType: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  "error?": ERROR,
  log: LOG,
  refundedTransactionId: "text",
};
export const QR_CODE: ShapeOfObject = { imageBase64: "text" };
