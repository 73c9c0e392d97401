import type { Schema } from "./openapi-examples.ts";

/**
 * The description of each field of `/v1`: by its name, or by record and name where the same name means
 * something of its own. Fields with words beside their rule keep those.
 */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  accountId: "The account that was credited; empty where nothing was",
  activationCode: "The matching id that a phone downloads the profile with",
  amount: "Minor units that the wallet gave or got",
  availableBalance: "Minor units that can be spent now",
  brand: "The brand's code",
  brandBigImage: "Address of a large picture",
  brandColor: "The brand's colour, such as #0b5cad",
  brandGiftImage: "Address of a picture for a gift",
  brandInfoPdf: "Address of a PDF about the brand; empty where there is none",
  brandLogo: "Address of the logo",
  brandLogoExtension: "File name extension of the logo",
  brandName: "The brand's name",
  code: "What went wrong, for programs",
  confirmationNumber: "The provider's number of the delivery",
  cost: "What the wallet pays, fees included: minor units",
  costBase: "The cost without fees: minor units",
  costCurrency: "ISO 4217 code of the cost",
  costCurrencyDivisor: "What amounts in costCurrency are divided by for display",
  costFee: "Fees that are part of the cost: minor units",
  costFeePct: "Fee in percent of the base cost",
  costFeeTotal: "All fees of the cost: minor units",
  costTotal: "The cost with all fees: minor units",
  country: "ISO 3166-1 code of the country",
  createdAt: "When it was made",
  currency: "ISO 4217 code of the amounts beside it",
  currencyDivisor: "What the amounts beside it are divided by for display",
  dataSpeeds: "Networks that the plan works on",
  dataUnlimited: "Whether the data have no limit",
  dateOfBirth: "Date of birth, year first",
  dateTime: "When it happened",
  deliverySpeedSeconds: "Seconds that a payment usually takes",
  deliveryType: "How it is delivered",
  description: "In words",
  downloadUrl: "Where the file is; the key is needed there too",
  durationDays: "Days that it is valid; 0 where it does not end",
  enabled: "Whether it can be bought now",
  endAt: "When it ends",
  endLt: "End of the period, exclusive",
  epin: "The PIN, code or token; empty where there is none",
  expiresAt: "When it expires; empty where it does not",
  externalReferenceId: "The provider's own reference",
  fee: "Fee of each purchase: minor units",
  fields: "The fields that were given",
  fixed: "The amount of a FIXED offer: minor units",
  fx: "The rate of a RANGE offer: delivered = amount × fx, in major units",
  iccid: "The eSIM's number",
  imageBase64: "The picture's bytes in base64",
  inputMask:
    "How the field is written: 9 for a digit, a for a letter, * for either; empty: free text",
  inputMasks: "How required fields are written",
  instructions: "How it is used, for the customer",
  label: "What the field is called on a form",
  language: "ISO 639-1 code of the text's language",
  link: "Address of the instructions",
  list: "The records of this page",
  log: "What happened, oldest first",
  max: "The most of a RANGE offer: minor units",
  maxValue: "The most that it applies to: minor units; 0 where there is no limit",
  message: "For people",
  min: "The least of a RANGE offer: minor units",
  minValue: "The least that it applies to: minor units",
  name: "The file's name",
  notes: "What is bought, in words",
  offerId: "The offer's id",
  price: "What the customer pays, fees included: minor units",
  priceBase: "The price without fees: minor units",
  priceCurrency: "ISO 4217 code of the price",
  priceCurrencyDivisor: "What amounts in priceCurrency are divided by for display",
  priceFee: "Fees that are part of the price: minor units",
  priceFx: "The rate of the price: delivered = price × priceFx, in major units",
  processingDays: "Days on which payments are processed",
  processingOnHolidays: "Whether payments are processed on public holidays",
  productType: "The kind of product",
  recipientCustomerServiceNumber: "Telephone number for whoever gets it; may be empty",
  recipientPhoneNumber: "The number that is topped up, in E.164 form",
  recordedAt: "When it happened",
  redemptionInstructions: "How it is used, in words",
  redemptionUrl: "Address where it is redeemed; empty where there is none",
  redemptionVideo: "Address of a film; empty where there is none",
  reportId: "The report's id",
  regions: "Parts of the world that it is for",
  remainingDataGB: "Gigabytes that are left; 0 when unlimited",
  requiredField: "Name of the field",
  requiredFieldsLabels: "What required fields are called on a form",
  send: "What is delivered: minor units",
  sendCurrency: "ISO 4217 code of what is delivered",
  sendCurrencyDivisor: "What amounts in sendCurrency are divided by for display",
  senderCustomerServiceNumber: "Telephone number for whoever bought it; may be empty",
  shortNotes: "What is bought, in few words",
  smdpAddress: "Address of the SM-DP+ server that holds the profile",
  smsNumber: "Messages included",
  smsUnlimited: "Whether messages have no limit",
  startAt: "When it begins",
  startGte: "Begin of the period, inclusive",
  statusMessage: "What happened, for people",
  subTypes: "What it is, more closely",
  suggestedFixed: "The price that is suggested for a FIXED offer: minor units",
  suggestedFx: "The rate that is suggested for a RANGE offer",
  supportsBillRetrieval: "Whether the biller can be asked what is due",
  supportsOverpayment: "Whether more than what is due can be paid",
  supportsUnderpayment: "Whether less than what is due can be paid",
  terms: "Terms, in words",
  total: "How many there are",
  transactionTime: "When the provider carried it out",
  unlimited: "Whether the data have no limit",
  updatedAt: "When it last changed",
  voiceMinutes: "Minutes included",
  voiceUnlimited: "Whether calls have no limit",
  voucherId: "The provider's id of the voucher",
  "BillPayPurchaseInput.fields": "The fields that the offer requires",
  "VoucherPurchaseInput.fields": "The fields that the offer requires",
  "BrandDetail.redemptionInstructions": "How its products are used, by country and language",
  "Promo.id": "The promotion's id",
  "PurchaseValue.type":
    "Which side the value is on: what is paid, what it costs, what is delivered",
  "PurchaseValue.value": "Minor units of that side's currency",
  "TransactionError.description": "What went wrong, more closely",
  "VoucherReceipt.send": "What it is worth: minor units of its currency",
  "EsimPlan.status": "ACTIVE is used now, QUEUED waits for its turn",
};

/**
 * Gives every field of the named schemas its description; a reference has that of what it names.
 * @throws when a field has none: a new field is described before it is served.
 */
export function describeFields(schemas: Iterable<[string, Schema]>): void {
  const missing: string[] = [];
  for (const [title, { properties = {} }] of schemas) {
    for (const [name, field] of Object.entries(properties)) {
      if (field.description !== undefined || field.$ref !== undefined) continue;
      const words = FIELD_WORDS[`${title}.${name}`] ?? FIELD_WORDS[name];
      if (words === undefined) missing.push(`${title}.${name}`);
      else field.description = words;
    }
  }
  if (missing.length > 0) {
    throw new Error(`describe in http/openapi-fields.ts: ${missing.join(", ")}`);
  }
}
