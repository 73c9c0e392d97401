import type { ShapeOfObject } from "./record-shape.ts";

/** The records of `/v1`, stated by hand beside their schemas (rules#v1-only-grows). */

const LOG = [{ dateTime: "time", status: "text", statusMessage: "text" }] as const;
const ERROR = { code: "text", description: "text", message: "text" } as const;

/** Wallet balance. */
export const BALANCE: ShapeOfObject = {
  availableBalance: "integer",
  currency: "text",
  "currencyDivisor+": "integer",
};

/** Brands. */
export const BRAND_ITEM: ShapeOfObject = { brand: "text", brandName: "text" };
export const BRAND: ShapeOfObject = {
  brand: "text",
  brandName: "text",
  brandBigImage: "text",
  brandColor: "text",
  brandGiftImage: "text",
  brandInfoPdf: "text",
  brandLogo: "text",
  brandLogoExtension: "text",
  description: "text",
  inputMasks: [{ requiredField: "text", inputMask: "text" }],
  redemptionInstructions: [
    { country: "text", deliveryType: "text", language: "text", link: "text" },
  ],
  requiredFieldsLabels: [{ label: "text", requiredField: "text" }],
};
export const REDEMPTION_INSTRUCTIONS: ShapeOfObject = {
  country: "text",
  deliveryType: "text",
  language: "text",
  redemptionInstructions: "text",
  terms: "text",
  redemptionVideo: "text",
};

/** Offers. */
const SEND = {
  currency: "text",
  currencyDivisor: "integer",
  "fixed?": "integer",
  "fx?": "number",
  "max?": "integer",
  "min?": "integer",
} as const;
const COST = { ...SEND, "discount+": "number", "fee+": "integer", "feePct+": "number" } as const;
const PRICE = {
  currency: "text",
  currencyDivisor: "integer",
  "fixed?": "integer",
  "fx?": "number",
  margin: "number",
  "max?": "integer",
  "min?": "integer",
  suggestedFixed: "integer",
  suggestedFx: "number",
  "fee+": "integer",
  "increment+?": "integer",
} as const;
const OFFER = {
  offerId: "text",
  brand: "text",
  "brandName+": "text",
  country: "text",
  createdAt: "time",
  updatedAt: "time",
  enabled: "boolean",
  notes: "text",
  shortNotes: "text",
  cost: COST,
  price: PRICE,
  priceType: "text",
  productType: "text",
  regions: ["text"],
  subTypes: ["text"],
} as const;
const TOPUP_ALLOWANCES = {
  dataGB: "number",
  dataUnlimited: "boolean",
  durationDays: "integer",
  smsNumber: "integer",
  smsUnlimited: "boolean",
  voiceMinutes: "integer",
  voiceUnlimited: "boolean",
} as const;
const ESIM_ALLOWANCES = {
  dataGB: "number",
  dataSpeeds: ["text"],
  dataUnlimited: "boolean",
  durationDays: "integer",
  roaming: [{ country: "text", dataSpeeds: ["text"] }],
  smsNumber: "integer",
  smsUnlimited: "boolean",
  voiceMinutes: "integer",
  voiceUnlimited: "boolean",
} as const;
// The place of `send` among the common fields is ours; within its own list it comes first.
export const TOPUP_OFFER: ShapeOfObject = { ...OFFER, "send+": SEND, ...TOPUP_ALLOWANCES };
export const VOUCHER_OFFER: ShapeOfObject = {
  ...OFFER,
  "send+": SEND,
  requiredFields: ["text"],
  "deliveryType+": "text",
};
export const ESIM_OFFER: ShapeOfObject = { ...OFFER, ...ESIM_ALLOWANCES };
/** Bills (rules#offer-records). */
export const BILLPAY_OFFER: ShapeOfObject = {
  ...OFFER,
  "send+": SEND,
  requiredFields: ["text"],
  billRetrievalRequiredFields: ["text"],
  supportsBillRetrieval: "boolean",
  supportsOverpayment: "boolean",
  supportsUnderpayment: "boolean",
  cutoffTime: "text",
  processingDays: ["text"],
  processingOnHolidays: "boolean",
  deliverySpeedSeconds: "integer",
};
/** rules#bill-retrieval */
export const BILL: ShapeOfObject = {
  send: "integer",
  sendCurrency: "text",
  sendCurrencyDivisor: "integer",
  cost: "integer",
  costCurrency: "text",
  costCurrencyDivisor: "integer",
  costFee: "integer",
  costFeePct: "number",
  costFeeTotal: "integer",
  costTotal: "integer",
  price: "integer",
  priceCurrency: "text",
  priceCurrencyDivisor: "integer",
  priceFee: "integer",
  priceFx: "number",
  priceType: "text",
  createdAt: "time",
};

/** Transactions and purchases. */
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

/** Promotions. */
export const PROMO: ShapeOfObject = {
  id: "text",
  brand: { brand: "text", brandName: "text" },
  country: "text",
  regions: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  startAt: "time",
  endAt: "time",
  minValue: "integer",
  maxValue: "integer",
  "currency+": "text",
  "currencyDivisor+": "integer",
  description: { description: "text", language: "text", terms: "text" },
};

/** Phone lookup. */
export const PHONE_LOOKUP: ShapeOfObject = {
  msisdn: "text",
  brand: "text",
  country: "text",
  mobileCountryCode: "text",
  mobileNetworkCode: "text",
};

/** Reports. */
export const REPORT: ShapeOfObject = {
  reportId: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  period: { startGte: "time", endLt: "time" },
  "file?": { name: "text", downloadUrl: "text" },
  "error?": ERROR,
  log: [{ message: "text", recordedAt: "time", status: "text" }],
};

/** Errors. */
export function pageOf(record: ShapeOfObject): ShapeOfObject {
  return { limit: "integer", offset: "integer", total: "integer", list: [record] };
}
