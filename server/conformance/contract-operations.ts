import {
  BILL,
  BILLPAY_OFFER,
  BRAND,
  BRAND_ITEM,
  ESIM_OFFER,
  PROMO,
  REDEMPTION_INSTRUCTIONS,
  TOPUP_OFFER,
  VOUCHER_OFFER,
} from "./contract-catalog-records.ts";
import {
  ACCEPTED,
  BILLPAY_PURCHASE,
  ESIM_PLANS,
  ESIM_PURCHASE,
  QR_CODE,
  REFUND,
  TOPUP_PURCHASE,
  TRANSACTION,
  VOUCHER_PURCHASE,
} from "./contract-purchase-records.ts";
import { BALANCE, PHONE_LOOKUP, pageOf, REPORT } from "./contract-records.ts";
import type { ShapeOfObject } from "./record-shape.ts";

export interface Row {
  required?: true;
  /** Optional, but part of this operation's usual call. */
  usual?: true;
  legal: readonly unknown[];
  illegal: readonly unknown[];
}

/** An operation of `/v1` (rules#v1-operations). */
export interface OperationRow {
  name: string;
  /** A value in braces, such as `{iccid}`, is replaced by a value of the running gateway. */
  path?: Readonly<Record<string, Row>>;
  query?: Readonly<Record<string, Row>>;
  body?: Readonly<Record<string, Row>>;
  /** Response to a successful request; undefined for a file. */
  answer: ShapeOfObject | undefined;
}

const REGIONS = [
  "Global",
  "Africa",
  "Asia",
  "Caribbean",
  "Central America",
  "Eastern Europe",
  "Western Europe",
  "North America",
  "Oceania",
  "South America",
  "South Asia",
  "Southeast Asia",
  "Middle East and North Africa",
];
const STATUSES = ["DONE", "FAILED", "PENDING", "ACCEPTED", "AUTHORIZED", "IN_PROGRESS"];

const COUNTRY: Row = { legal: ["GT", "ZA"], illegal: ["gt", "GTM", ""] };
const REGION: Row = { legal: REGIONS, illegal: ["global", "Europe", ""] };
const STATUS: Row = { legal: STATUSES, illegal: ["done", "OPEN", ""] };
const TEXT: Row = { legal: ["TIGO"], illegal: ["", "x".repeat(129)] };
/** rules#list-paging */
const PAGING: Record<string, Row> = {
  _limit: { required: true, legal: ["1", "1024"], illegal: ["0", "1025", "-1", "x", "1.5", ""] },
  _offset: { required: true, legal: ["0", "1", "5000"], illegal: ["-1", "x", "0.5", ""] },
};
/** rules#list-created-at */
const CREATED_AT: Row = {
  legal: ["", "lt", "lte", "gt", "gte"].map((prefix) => `${prefix}2026-01-15T09:30:00.000Z`),
  illegal: ["", "2026-01-15", "eq2026-01-15T09:30:00Z", "gte", "2026-02-30T00:00:00Z"],
};
const OFFER_QUERY = { ...PAGING, brand: TEXT, country: COUNTRY, regions: REGION };
const SUBTYPE: Row = { legal: ["Electricity"], illegal: ["", "x".repeat(129)] };
const PURCHASE_QUERY = {
  ...PAGING,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  status: STATUS,
};

const TRANSACTION_ID: Row = {
  required: true,
  legal: ["A", "a-Z_09", "0e37df36-f698-41e6-9bbb-1a7f2b1d7a55", "x".repeat(128)],
  illegal: ["", "a b", "é", "a.b", "x".repeat(129), 7, null],
};
const OFFER_ID: Row = { required: true, legal: [], illegal: ["", 7, null, "x".repeat(129)] };
const VALUE: Row = {
  legal: [
    { type: "PRICE", value: 500 },
    { type: "COST", value: 500 },
    { type: "ZEND", value: 2_000 },
  ],
  illegal: [7, "7", [], { type: "SEND", value: 1 }, { type: "PRICE", value: 1.5 }, {}],
};
const FIELDS: Row = {
  required: true,
  legal: [],
  illegal: ["x", null, {}, [{}], [{ key: "a" }], [{ key: "a", value: 1 }]],
};
const ADDRESS = { line1: "12 Calle", city: "Guatemala", country: "GT" };
const PERSON: Row = {
  legal: [{ firstName: "Ana", lastName: "Paz", homeAddress: ADDRESS }],
  illegal: ["Ana", {}, { firstName: "Ana" }, { name: "Ana" }],
};

const IN_PATH: Row = { legal: [], illegal: ["a b", "é", "x".repeat(129)] };

function offerOperations(path: string, live: string, offer: ShapeOfObject): OperationRow[] {
  const subType =
    path === "/topups"
      ? { legal: ["Mobile Top Up", "Mobile Bundle", "Mobile Data"], illegal: ["Top Up", ""] }
      : SUBTYPE;
  return [
    { name: `GET ${path}/offers`, query: { ...OFFER_QUERY, subType }, answer: pageOf(offer) },
    {
      name: `GET ${path}/offers/{offerId}`,
      path: { offerId: { legal: [live], illegal: ["x".repeat(129)] } },
      answer: offer,
    },
  ];
}

function purchaseOperations(
  path: string,
  body: Record<string, Row>,
  record: ShapeOfObject,
): OperationRow[] {
  const live = `${path.slice(1)}-done`;
  return [
    { name: `GET ${path}/purchases`, query: PURCHASE_QUERY, answer: pageOf(record) },
    {
      name: `POST ${path}/purchases`,
      body: { offerId: OFFER_ID, transactionId: TRANSACTION_ID, ...body },
      answer: ACCEPTED,
    },
    {
      name: `GET ${path}/purchases/{transactionId}`,
      path: { transactionId: { ...IN_PATH, legal: [live] } },
      answer: record,
    },
  ];
}

const ESIM_PURCHASE_PATH = { transactionId: { ...IN_PATH, legal: ["esim-refunded"] } };
const REPORT_PATH = { reportId: { legal: ["{reportId}"], illegal: ["x".repeat(129)] } };
/** RFC 3339, UTC (rules#report-period). */
const BOUND = {
  required: true,
  illegal: ["", "2026-01-15", "2026-01-15T00:00:00+01:00", "2026-02-30T00:00:00Z", 7, null],
} as const;

export const CONTRACT_OPERATIONS: readonly OperationRow[] = [
  { name: "GET /balance", answer: BALANCE },
  { name: "GET /brands", query: { ...PAGING, country: COUNTRY }, answer: pageOf(BRAND_ITEM) },
  {
    name: "GET /brands/{brand}",
    path: { brand: { legal: ["ESKOM"], illegal: ["x".repeat(129)] } },
    answer: BRAND,
  },
  {
    name: "GET /brands/{brand}/redemptionInstructions",
    path: { brand: { legal: ["ESKOM"], illegal: ["x".repeat(129)] } },
    query: {
      country: { required: true, legal: ["ZA"], illegal: ["za", "ZAF", ""] },
      deliveryType: { required: true, legal: ["TOKEN"], illegal: ["", "x".repeat(65)] },
      language: { legal: ["en", "fr", "EN"], illegal: ["e n", ""] },
    },
    answer: REDEMPTION_INSTRUCTIONS,
  },
  ...offerOperations("/topups", "TIGO_GT_TOPUP_25", TOPUP_OFFER),
  ...purchaseOperations(
    "/topups",
    {
      recipientPhoneNumber: {
        required: true,
        legal: ["+50251234567", "+12025550123"],
        illegal: ["50251234567", "+0123456789", "+502 5123 4567", "", 7, null],
      },
      sender: {
        legal: [{}, { country: "US" }, { country: "US", phoneNumber: "+12025550123" }],
        illegal: ["Ana", { country: "us" }, { phoneNumber: "1" }, { name: "Ana" }],
      },
      value: VALUE,
    },
    TOPUP_PURCHASE,
  ),
  ...offerOperations("/vouchers", "ESKOM_ZA_ELECTRICITY_RANGE", VOUCHER_OFFER),
  ...purchaseOperations("/vouchers", { fields: FIELDS, value: VALUE }, VOUCHER_PURCHASE),
  ...offerOperations("/esim", "AIRALO_ES_1GB_7D", ESIM_OFFER),
  ...purchaseOperations(
    "/esim",
    { iccid: { legal: ["89014103211118510720"], illegal: ["", "89", "8901x", 7] } },
    ESIM_PURCHASE,
  ),
  {
    name: "GET /esim/purchases/{transactionId}/qrcode",
    path: { transactionId: { ...IN_PATH, legal: ["esim-done"] } },
    answer: QR_CODE,
  },
  { name: "GET /esim/purchases/{transactionId}/refund", path: ESIM_PURCHASE_PATH, answer: REFUND },
  { name: "POST /esim/purchases/{transactionId}/refund", path: ESIM_PURCHASE_PATH, answer: REFUND },
  {
    name: "GET /esim/{iccId}/plans",
    path: { iccId: { legal: ["{iccid}"], illegal: ["89", "8901410321111851072x", "x"] } },
    answer: ESIM_PLANS,
  },
  ...offerOperations("/billpay", "AYSA_AR_BILL_WATER", BILLPAY_OFFER),
  {
    name: "GET /billpay/offers/{offerId}/bill",
    path: { offerId: { legal: ["AYSA_AR_BILL_WATER"], illegal: ["x".repeat(129)] } },
    query: {
      billIdentifier: { usual: true, legal: ["202601"], illegal: [""] },
      accountNumber: { usual: true, legal: ["30001234567"], illegal: [""] },
    },
    answer: BILL,
  },
  ...purchaseOperations(
    "/billpay",
    { fields: FIELDS, value: VALUE, sender: PERSON, recipient: PERSON },
    BILLPAY_PURCHASE,
  ),
  {
    name: "GET /transactions",
    query: {
      ...PURCHASE_QUERY,
      productType: {
        legal: [
          "TOPUP",
          "ESIM",
          "VOUCHER",
          "BILL_PAY",
          "WALLET_RECHARGE",
          "REFUND",
          "BULK_CHECKOUT",
        ],
        illegal: ["RECHARGE_SANDBOX", "RECHARGE_WITH_CREDIT_CARD", "topup", ""],
      },
      type: { legal: ["DEBIT", "CREDIT"], illegal: ["debit", ""] },
    },
    answer: pageOf(TRANSACTION),
  },
  {
    name: "GET /transactions/{transactionId}",
    path: { transactionId: { ...IN_PATH, legal: ["topups-done"] } },
    answer: TRANSACTION,
  },
  {
    name: "GET /promos",
    query: {
      ...PAGING,
      brand: TEXT,
      country: { legal: ["GT", "GT,SV"], illegal: ["gt", "GT,", "GT;SV", ""] },
      language: { legal: ["en", "es", "ES"], illegal: ["e n", ""] },
      region: REGION,
      status: { legal: ["active", "expired", "pending"], illegal: ["Active", ""] },
    },
    answer: pageOf(PROMO),
  },
  {
    name: "GET /promos/{promoId}",
    path: { promoId: { legal: ["{promoId}"], illegal: ["x".repeat(129)] } },
    answer: PROMO,
  },
  {
    name: "POST /reports/transactions",
    body: {
      startGte: { ...BOUND, legal: ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"] },
      endLt: { ...BOUND, legal: ["2026-01-31T00:00:00Z", "2026-12-31T23:59:59.999Z"] },
    },
    answer: REPORT,
  },
  { name: "GET /reports/transactions/{reportId}", path: REPORT_PATH, answer: REPORT },
  {
    name: "GET /reports/transactions/{reportId}/{file}",
    path: { ...REPORT_PATH, file: { legal: ["{file}"], illegal: ["x".repeat(129)] } },
    answer: undefined,
  },
  {
    name: "GET /tools/phonenumberlookup/{msisdn}",
    path: {
      msisdn: {
        legal: ["+50231234567", "+50251234567", "+15551234567", "+16551234567"],
        illegal: ["50231234567", "+1", "x"],
      },
    },
    answer: PHONE_LOOKUP,
  },
];
