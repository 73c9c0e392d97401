import type { Check, Findings, Stage } from "./check.ts";
import {
  BALANCE,
  BILL,
  BILLPAY_OFFER,
  BRAND,
  BRAND_ITEM,
  ESIM_OFFER,
  PHONE_LOOKUP,
  PROMO,
  pageOf,
  REDEMPTION_INSTRUCTIONS,
  REPORT,
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
import { findCall } from "./finds.ts";
import type { ShapeOfObject } from "./record-shape.ts";
import type { Reply, Target } from "./target.ts";

interface Row {
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

/** Checks of every operation, from the table of its parameters, fields and record. */

const PURCHASE = /^GET \/(?:\w+\/purchases\/\{|esim\/\{iccId\}|transactions\/\{)/;
const REFUND_REQUEST = "POST /esim/purchases/{transactionId}/refund";

type Values = Record<string, unknown>;
interface Changes {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: Values;
}

export const OPERATION_CHECKS: readonly Check[] = CONTRACT_OPERATIONS.flatMap((row) => {
  const { name } = row;
  const isPost = name.startsWith("POST ");
  const stage: Stage = PURCHASE.test(name) ? "records" : "read";
  const checks: Check[] = [
    {
      name: `${name} requires the key`,
      clause: "error-statuses",
      stage: "read",
      run: (target, findings) => requiresKey(row, target, findings),
    },
  ];
  // The checks of purchases buy; the refund is checked with them.
  if (!isPost || name.endsWith("/reports/transactions")) {
    checks.push({
      name: `${name} answers with its record`,
      clause: "record-whole",
      stage,
      run: (target, findings) => answersRecord(row, target, findings),
    });
  }
  if (!isPost && row.query) {
    checks.push({
      name: `${name} accepts legal values`,
      clause: "v1-operations",
      stage,
      run: (target, findings) => acceptsLegal(row, target, findings),
    });
  }
  if (name !== REFUND_REQUEST && (row.query ?? row.path ?? row.body)) {
    checks.push({
      name: `${name} refuses illegal and missing values by name`,
      clause: "error-body",
      stage,
      run: (target, findings) => refusesIllegal(row, target, findings),
    });
  }
  if (!isPost) {
    checks.push({
      name: `${name} refuses an unknown parameter`,
      clause: "list-filters",
      stage,
      run: async (target, findings) => {
        const reply = await call(row, target, { query: { conformance: "x" } });
        findings.refused(reply, 400, "INVALID_REQUEST", ["conformance"]);
      },
    });
  }
  return checks;
});

async function requiresKey(row: OperationRow, target: Target, findings: Findings): Promise<void> {
  const [method = "", template = ""] = row.name.split(" ");
  const path = template.replace(/\{\w+\}/g, "x");
  const reply = await target.call(method, path, { key: "" });
  findings.refused(reply, 401, "NOT_AUTHORIZED");
  const asked = reply.headers.get("www-authenticate");
  findings.equal(`${reply.request}: WWW-Authenticate`, asked, "Bearer");
}

async function answersRecord(row: OperationRow, target: Target, findings: Findings): Promise<void> {
  const reply = await call(row, target);
  if (!row.name.endsWith("/qrcode")) {
    findings.answered(reply, row.answer);
    if (row.answer === undefined) {
      const type = "application/octet-stream";
      findings.holds(`${reply.request}: ${type}`, reply.type.startsWith(type), reply.type);
    }
    return;
  }
  findings.answered(reply);
  findings.equal(`${reply.request}: content-type`, reply.type, "image/png");
  findings.equal("a PNG", reply.bytes.subarray(1, 4).toString("latin1"), "PNG");
  const asJson = await call(row, target, {}, { accept: "application/json" });
  findings.answered(asJson, row.answer);
}

async function acceptsLegal(row: OperationRow, target: Target, findings: Findings): Promise<void> {
  const { query: found } = await findCall(target, row.name);
  for (const [name, { legal }] of Object.entries(row.query ?? {})) {
    // The value of a record that exists is checked by the record.
    if (found && name in found) continue;
    for (const value of legal) {
      findings.answered(await call(row, target, { query: { [name]: value } }));
    }
  }
}

async function refusesIllegal(row: OperationRow, target: Target, findings: Findings) {
  for (const place of ["query", "path", "body"] as const) {
    for (const [name, field] of Object.entries<Row>(row[place] ?? {})) {
      const values = field.required && place !== "path" ? [undefined] : [];
      for (const value of [...field.illegal, ...values]) {
        const reply = await call(row, target, { [place]: { [name]: value } });
        findings.refused(reply, 400, "INVALID_REQUEST", [name]);
      }
    }
  }
}

async function call(
  row: OperationRow,
  target: Target,
  changes: Changes = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const [method = "", template = ""] = row.name.split(" ");
  const found = await findCall(target, row.name);
  const parts = { ...found.path, ...changes.path } as Record<string, string | undefined>;
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(parts[name] ?? "x"),
  );
  const query = Object.entries({ ...firstLegal(row.query), ...found.query, ...changes.query })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  const body = row.body && { ...firstLegal(row.body), ...found.body, ...changes.body };
  return target.call(method, `${path}${query && `?${query}`}`, { headers, body });
}

/** Returns the first legal value of each required parameter. */
function firstLegal(rows: Readonly<Record<string, Row>> = {}): Values {
  const required = Object.entries(rows).filter(([, row]) => row.required && row.legal.length > 0);
  return Object.fromEntries(required.map(([name, { legal }]) => [name, legal[0]]));
}
