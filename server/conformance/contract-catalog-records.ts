import type { ShapeOfObject } from "./record-shape.ts";

/**
 * Records of wallet, numbers, reports and pages in `/v1`, written by hand (rules#v1-only-grows).
 */

export const ERROR = { code: "text", description: "text", message: "text" } as const;

export const BALANCE: ShapeOfObject = {
  availableBalance: "integer",
  currency: "text",
  "currencyDivisor+": "integer",
};

export const PHONE_LOOKUP: ShapeOfObject = {
  msisdn: "text",
  brand: "text",
  country: "text",
  mobileCountryCode: "text",
  mobileNetworkCode: "text",
};

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

export function pageOf(record: ShapeOfObject): ShapeOfObject {
  return { limit: "integer", offset: "integer", total: "integer", list: [record] };
}

/**
 * Catalog records of `/v1`: brands, offers, bills and promotions, written by hand
 * (rules#v1-only-grows).
 */

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
export const TOPUP_ALLOWANCES = {
  dataGB: "number",
  dataUnlimited: "boolean",
  durationDays: "integer",
  smsNumber: "integer",
  smsUnlimited: "boolean",
  voiceMinutes: "integer",
  voiceUnlimited: "boolean",
} as const;
export const ESIM_ALLOWANCES = {
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
// The specification lists `send` first among a family's own fields.
export const TOPUP_OFFER: ShapeOfObject = { ...OFFER, "send+": SEND, ...TOPUP_ALLOWANCES };
export const VOUCHER_OFFER: ShapeOfObject = {
  ...OFFER,
  "send+": SEND,
  requiredFields: ["text"],
  "deliveryType+": "text",
};
export const ESIM_OFFER: ShapeOfObject = { ...OFFER, ...ESIM_ALLOWANCES };
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
