import type { Balance } from "../contract/v1/balance.ts";
import type { Bill } from "../contract/v1/bills.ts";
import type { BrandDetail, RedemptionInstructions } from "../contract/v1/brands.ts";
import type { EsimPlans, EsimRefund } from "../contract/v1/esims.ts";
import type { Promo } from "../contract/v1/promos.ts";
import type { Report } from "../contract/v1/reports.ts";
import type { Transaction } from "../contract/v1/transactions.ts";
import { OFFER_SAMPLES } from "./offer-samples.ts";
import { LOG, PURCHASE_SAMPLES } from "./purchase-samples.ts";

/**
 * Records as the gateway answers them, by the title of their schema: the examples of the
 * description. A record without one is put together from the examples of its fields.
 */
export const RECORD_SAMPLES: Readonly<Record<string, unknown>> = {
  Balance: { availableBalance: 99703, currency: "USD", currencyDivisor: 100 } satisfies Balance,
  BrandItem: { brand: "ESKOM", brandName: "Eskom" },
  BrandDetail: {
    brand: "ESKOM",
    brandName: "Eskom",
    brandBigImage: "http://127.0.0.1:8787/v1/brands/ESKOM/big.svg",
    brandColor: "#00539F",
    brandGiftImage: "http://127.0.0.1:8787/v1/brands/ESKOM/gift.svg",
    brandInfoPdf: "",
    brandLogo: "http://127.0.0.1:8787/v1/brands/ESKOM/logo.svg",
    brandLogoExtension: "svg",
    description: "State electricity company of South Africa",
    inputMasks: [
      { requiredField: "meter.number", inputMask: "99999999999" },
      { requiredField: "recipient.msisdn", inputMask: "+999999999999" },
      { requiredField: "accountNumber", inputMask: "" },
    ],
    redemptionInstructions: [
      {
        country: "ZA",
        deliveryType: "TOKEN",
        language: "en",
        link: "http://127.0.0.1:8787/v1/brands/ESKOM/redemptionInstructions?country=ZA&deliveryType=TOKEN&language=en",
      },
    ],
    requiredFieldsLabels: [
      { label: "Meter number", requiredField: "meter.number" },
      { label: "Recipient's mobile number", requiredField: "recipient.msisdn" },
      { label: "Account number", requiredField: "accountNumber" },
    ],
  } satisfies BrandDetail,
  RedemptionInstructions: {
    country: "ZA",
    deliveryType: "TOKEN",
    language: "en",
    redemptionInstructions:
      "1. Go to the keypad of the meter whose number is on the receipt.\n2. Enter the 20 digits of the token from left to right, without spaces, and press Enter.\n3. Wait until the meter accepts the token and shows the new units.\n4. If it is refused, check the digits; for help see eskom.co.za.",
    terms:
      "A token works only in the meter it was bought for, and once. How many units the value in ZAR buys follows the tariff of Eskom; arrears, fixed charges and tax may be taken off. A token is not refunded.",
    redemptionVideo: "",
  } satisfies RedemptionInstructions,
  ...OFFER_SAMPLES,
  ...PURCHASE_SAMPLES,
  Bill: {
    send: 6066500,
    sendCurrency: "ARS",
    sendCurrencyDivisor: 100,
    cost: 4171,
    costCurrency: "USD",
    costCurrencyDivisor: 100,
    costFee: 0,
    costFeePct: 0,
    costFeeTotal: 0,
    costTotal: 4171,
    price: 4213,
    priceCurrency: "USD",
    priceCurrencyDivisor: 100,
    priceFee: 100,
    priceFx: 1440,
    priceType: "RANGE",
    createdAt: "2026-01-15T09:30:00.000Z",
  } satisfies Bill,
  EsimPlans: {
    list: [
      {
        description: "Airalo 1 GB, 7 days",
        endAt: "2026-01-22T10:00:00.000Z",
        iccid: "89002093471483837457",
        initialDataGB: 1,
        offerId: "AIRALO_ES_1GB_7D",
        reamainingDataGB: 0.75,
        remainingDataGB: 0.75,
        startAt: "2026-01-15T10:00:00.000Z",
        status: "ACTIVE",
        unlimited: false,
      },
    ],
    total: 1,
    firstInstalledAt: "2026-01-15T10:00:00.000Z",
  } satisfies EsimPlans,
  EsimRefund: {
    transactionId: "02e7da8d-8df4-4927-b506-579fac424a76",
    amount: 328,
    currency: "USD",
    currencyDivisor: 100,
    type: "CREDIT",
    productType: "REFUND",
    status: "DONE",
    createdAt: "2026-01-15T09:30:01.000Z",
    updatedAt: "2026-01-15T09:30:01.000Z",
    log: [
      {
        dateTime: "2026-01-15T09:30:01.000Z",
        status: "ACCEPTED",
        statusMessage: "Transaction accepted",
      },
      {
        dateTime: "2026-01-15T09:30:01.000Z",
        status: "IN_PROGRESS",
        statusMessage: "Submitted to the provider",
      },
      { dateTime: "2026-01-15T09:30:01.000Z", status: "DONE", statusMessage: "Completed" },
    ],
    refundedTransactionId: "order-4",
  } satisfies EsimRefund,
  Transaction: {
    transactionId: "order-1",
    amount: 297,
    currency: "USD",
    currencyDivisor: 100,
    type: "DEBIT",
    productType: "TOPUP",
    status: "DONE",
    createdAt: "2026-01-15T09:30:00.000Z",
    updatedAt: "2026-01-15T09:30:01.000Z",
    log: LOG,
  } satisfies Transaction,
  Report: {
    reportId: "0b8f3c1e-6f0a-4c55-9a53-0d6f5a1f7a52",
    status: "Ready",
    createdAt: "2026-02-01T08:00:00.000Z",
    updatedAt: "2026-02-01T08:00:01.000Z",
    period: { startGte: "2026-01-01T00:00:00.000Z", endLt: "2026-02-01T00:00:00.000Z" },
    file: {
      name: "transactions-0b8f3c1e-6f0a-4c55-9a53-0d6f5a1f7a52.csv",
      downloadUrl:
        "http://127.0.0.1:8787/v1/reports/transactions/0b8f3c1e-6f0a-4c55-9a53-0d6f5a1f7a52/transactions-0b8f3c1e-6f0a-4c55-9a53-0d6f5a1f7a52.csv",
    },
    log: [
      {
        message: "Report requested",
        recordedAt: "2026-02-01T08:00:00.000Z",
        status: "REQUESTED",
      },
      {
        message: "Report is ready: 214 transactions",
        recordedAt: "2026-02-01T08:00:01.000Z",
        status: "Ready",
      },
    ],
  } satisfies Report,
  Promo: {
    id: "CLARO_GT_DOUBLE_2027_09",
    brand: { brand: "CLARO", brandName: "Claro" },
    country: "GT",
    regions: "Central America",
    status: "pending",
    createdAt: "2026-11-22T00:00:00.000Z",
    updatedAt: "2026-11-22T00:00:00.000Z",
    startAt: "2027-09-03T00:00:00.000Z",
    endAt: "2027-09-07T23:59:59.999Z",
    minValue: 1000,
    maxValue: 20000,
    currency: "GTQ",
    currencyDivisor: 100,
    description: {
      description:
        "Double balance: top up with 10 GTQ to 200 GTQ and Claro adds the same amount again.",
      language: "en",
      terms:
        "The bonus balance is for calls and SMS to national numbers and for data and is valid for 10 days.",
    },
  } satisfies Promo,
};
