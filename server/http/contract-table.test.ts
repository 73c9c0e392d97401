import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPORT } from "../conformance/contract-catalog-records.ts";
import {
  BILLPAY_PURCHASE,
  ESIM_PURCHASE,
  TOPUP_PURCHASE,
  TRANSACTION,
  VOUCHER_PURCHASE,
} from "../conformance/contract-purchase-records.ts";
import { CONTRACT_OPERATIONS, type OperationRow } from "../conformance/operation-checks.ts";
import { faultsOfRecord, type ShapeOfObject } from "../conformance/record-shape.ts";
import { SECOND } from "../lib/clock.ts";
import { type ApiDocument, readApiDocument } from "../testing/api-document.ts";
import { type Answer, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/**
 * Checks every operation, parameter and field of `/v1` on live responses. The table is written by
 * hand, so that it reveals changes of the schemas (rules#v1-only-grows).
 */
let till: TestGateway;
let api: ApiDocument;
const live: Record<string, string> = {};

/** A purchase of each family, and changes that make the purchase fail. */
const FAMILIES = {
  topups: {
    fixed: { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" },
    range: {
      offerId: "DU_AE_TOPUP_RANGE",
      recipientPhoneNumber: "+971501234567",
      value: { type: "PRICE", value: 550 },
      sender: { country: "US", phoneNumber: "+12025550123" },
    },
    failed: { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239002" },
  },
  vouchers: {
    fixed: undefined,
    range: {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      value: { type: "ZEND", value: 10_000 },
      fields: [
        { key: "meter.number", value: "01234567890" },
        { key: "recipient.msisdn", value: "+27821234567" },
      ],
    },
    failed: {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      value: { type: "ZEND", value: 10_000 },
      fields: [
        { key: "meter.number", value: "01234567890" },
        { key: "recipient.msisdn", value: "+27821239002" },
      ],
    },
  },
  esim: {
    fixed: { offerId: "AIRALO_ES_1GB_7D" },
    range: undefined,
    failed: { offerId: "AIRALO_ES_1GB_7D" },
  },
  billpay: {
    fixed: undefined,
    range: {
      offerId: "AYSA_AR_BILL_WATER",
      value: { type: "ZEND", value: 6_066_500 },
      fields: [
        { key: "accountNumber", value: "30001234567" },
        { key: "billIdentifier", value: "202601" },
      ],
      sender: person("Ana"),
      recipient: person("Luz"),
    },
    failed: {
      offerId: "AYSA_AR_BILL_WATER",
      value: { type: "ZEND", value: 1_500_000 },
      fields: [
        { key: "accountNumber", value: "30001239002" },
        { key: "billIdentifier", value: "202601" },
      ],
    },
  },
} as const;
type FamilyPath = keyof typeof FAMILIES;

function person(firstName: string) {
  const homeAddress = { line1: "12 Calle 1-25", city: "Guatemala", country: "GT" };
  return { firstName, lastName: "Paz", homeAddress };
}

function bodyOf(family: FamilyPath): object {
  const { fixed, range } = FAMILIES[family];
  return { ...(fixed ?? range) };
}

async function buy(family: FamilyPath, transactionId: string, input: object): Promise<void> {
  const answer = await till.v1("POST", `/${family}/purchases`, { ...input, transactionId });
  expect([transactionId, answer.status, answer.body]).toEqual([
    transactionId,
    200,
    { status: "ACCEPTED", transactionId },
  ]);
}

beforeAll(async () => {
  till = await startTestGateway();
  api = await readApiDocument(till);
  const { recharges } = till.gateway.context;
  await recharges.setTestWallet({ accountId: "default", environment: "test" }, 10_000_000);
  for (const family of Object.keys(FAMILIES) as FamilyPath[]) {
    await buy(family, `${family}-done`, bodyOf(family));
    await buy(family, `${family}-9002`, FAMILIES[family].failed);
    const { range } = FAMILIES[family];
    if (range) await buy(family, `${family}-range`, range);
  }
  await buy("esim", "esim-refunded", FAMILIES.esim.fixed);
  await buy("esim", "new-refundable", FAMILIES.esim.fixed);
  await till.advance(SECOND);
  await till.v1("POST", "/esim/purchases/esim-refunded/refund");
  const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
  const requested = await till.v1("POST", "/reports/transactions", period);
  live.reportId = requested.body.reportId;
  await till.advance(SECOND);
  const report = await till.v1("GET", `/reports/transactions/${live.reportId}`);
  live.file = report.body.file?.name;
  live.iccid = (await get("/esim/purchases/esim-done")).confirmation.iccid;
  live.promoId = (await get("/promos?_limit=1&_offset=0")).list[0].id;
  await buy("topups", "topups-waiting", {
    ...bodyOf("topups"),
    recipientPhoneNumber: "+50251239004",
  });
  await till.settle();
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function get(path: string) {
  const answer = await till.v1("GET", path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

let purchases = 0;

function call(
  row: OperationRow,
  changes: { path?: object; query?: object; body?: object } = {},
): Promise<Answer> {
  const [method = "", template = ""] = row.name.split(" ");
  const parts = { ...firstOf(row.path), ...changes.path } as Record<string, string>;
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(parts[name] ?? ""),
  );
  const query = Object.entries({ ...firstOf(usualOf(row.query)), ...changes.query })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  const family = template.split("/")[1] as FamilyPath;
  const usual = family in FAMILIES ? bodyOf(family) : firstOf(row.body);
  const fresh = "transactionId" in (row.body ?? {}) && { transactionId: `new-${purchases++}` };
  const body = row.body && { ...usual, ...fresh, ...changes.body };
  return till.v1(method, `${path}${query && `?${query}`}`, body);
}

function requiredOf(rows: OperationRow["query"] = {}): OperationRow["query"] {
  return Object.fromEntries(Object.entries(rows).filter(([, row]) => row.required));
}

function usualOf(rows: OperationRow["query"] = {}): OperationRow["query"] {
  return Object.fromEntries(Object.entries(rows).filter(([, row]) => row.required ?? row.usual));
}

/** Returns the first legal value of each row. A name in braces stands for a live value. */
function firstOf(rows: OperationRow["path"] = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, { legal }]) => [name, alive(legal[0])]),
  );
}

function alive(value: unknown): unknown {
  const made = typeof value === "string" ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
  return made === undefined ? value : live[made];
}

function expectRefused(answer: Answer, field: string, value: unknown): void {
  expect([value, answer.status, answer.body.errorCode]).toEqual([value, 400, "INVALID_REQUEST"]);
  const named = Object.keys(answer.body.fields).map((name) => name.split(".")[0]);
  expect([value, named]).toEqual([value, expect.arrayContaining([field])]);
}

it("the table and the description contain the same operations", () => {
  const described = api.operations.map(({ name }) => name.replace(" /v1", " "));
  expect(described.sort()).toEqual(CONTRACT_OPERATIONS.map(({ name }) => name).sort());
});

describe.each(CONTRACT_OPERATIONS.map((row) => [row.name, row] as const))("%s", (name, row) => {
  it("has exactly the table's parameters and fields in the description", () => {
    const operation = api.get(name.replace(" ", " /v1"));
    for (const place of ["path", "query"] as const) {
      const described = operation.parameters.filter((parameter) => parameter.in === place);
      expect(described.map((parameter) => parameter.name).sort()).toEqual(
        Object.keys(row[place] ?? {}).sort(),
      );
      for (const { name: parameter, required } of described) {
        const isRequired = place === "path" || row[place]?.[parameter]?.required === true;
        expect([parameter, required]).toEqual([parameter, isRequired]);
      }
    }
    const body = api.resolve(operation.body?.schema) ?? {};
    // The field is an addition of this gateway, which the table for any gateway does not have.
    const fields = Object.keys(body.properties ?? {}).filter((field) => field !== "validateOnly");
    expect(fields.sort()).toEqual(Object.keys(row.body ?? {}).sort());
    expect(((body.required ?? []) as string[]).toSorted()).toEqual(
      Object.keys(requiredOf(row.body)!).sort(),
    );
  });

  it("returns its record", async () => {
    const isRefund = name.startsWith("POST /esim/purchases/");
    const answer = await call(row, isRefund ? { path: { transactionId: "new-refundable" } } : {});
    expect([answer.status, answer.body?.errorCode]).toEqual([200, undefined]);
    const type = answer.headers.get("content-type");
    if (name.endsWith("/qrcode")) return expect(type).toBe("image/png");
    if (!row.answer) return expect(type).toBe("application/octet-stream");
    expect(type).toMatch(/^application\/json/);
    expect(faultsOfRecord(answer.body, row.answer)).toEqual([]);
  });

  it("accepts legal values, and names the field when it refuses illegal values", async () => {
    for (const [parameter, { required, legal, illegal }] of Object.entries(row.query ?? {})) {
      for (const value of legal) {
        const { status } = await call(row, { query: { [parameter]: value } });
        expect([parameter, value, status]).toEqual([parameter, value, 200]);
      }
      for (const value of illegal) {
        expectRefused(await call(row, { query: { [parameter]: value } }), parameter, value);
      }
      if (!required) continue;
      expectRefused(await call(row, { query: { [parameter]: undefined } }), parameter, "missing");
    }
    for (const [parameter, { illegal }] of Object.entries(row.path ?? {})) {
      for (const value of illegal) {
        expectRefused(await call(row, { path: { [parameter]: value } }), parameter, value);
      }
    }
    for (const [field, { required, legal, illegal }] of Object.entries(row.body ?? {})) {
      for (const value of legal) {
        const { body } = await call(row, { body: { [field]: value } });
        expect([field, value, body.errorCode]).not.toEqual([field, value, "INVALID_REQUEST"]);
      }
      for (const value of illegal) {
        expectRefused(await call(row, { body: { [field]: value } }), field, value);
      }
      if (!required) continue;
      expectRefused(await call(row, { body: { [field]: undefined } }), field, "missing");
    }
    await till.settle();
  });
});

/** Conditions under which records contain their optional fields (rules#record-whole). */
const WHEN: Record<string, (record: Record<string, unknown>) => boolean> = {
  error: ({ status }) => status === "FAILED",
  confirmation: ({ status }) => status === "DONE",
  receipt: ({ status }) => status === "DONE",
  refund: ({ transactionId }) => transactionId === "esim-refunded",
  value: ({ priceType }) => priceType === "RANGE",
  sender: ({ transactionId }) =>
    /^(topups-range|billpay-(range|done))$/.test(String(transactionId)),
  recipient: ({ transactionId }) => /^billpay-(range|done)$/.test(String(transactionId)),
};

describe.each<[FamilyPath, ShapeOfObject]>([
  ["topups", TOPUP_PURCHASE],
  ["vouchers", VOUCHER_PURCHASE],
  ["esim", ESIM_PURCHASE],
  ["billpay", BILLPAY_PURCHASE],
])("the purchases of /%s", (family, shape) => {
  it("have all fields in every status, and optional fields exactly under their conditions", async () => {
    const { list } = await get(`/${family}/purchases?_limit=1024&_offset=0`);
    const named = list.filter(({ transactionId }: { transactionId: string }) =>
      transactionId.startsWith(family),
    );
    const statuses = new Set(named.map(({ status }: { status: string }) => status));
    expect(statuses).toEqual(
      new Set(family === "topups" ? ["DONE", "FAILED", "IN_PROGRESS"] : ["DONE", "FAILED"]),
    );
    const optional = Object.keys(shape)
      .filter((name) => name.endsWith("?"))
      .map((name) => name.replace(/\+?\?$/, ""));
    for (const record of named) {
      expect(faultsOfRecord(record, shape, record.transactionId)).toEqual([]);
      for (const field of optional) {
        const expected = WHEN[field]!(record);
        expect([record.transactionId, field, field in record]).toEqual([
          record.transactionId,
          field,
          expected,
        ]);
      }
      expect(await get(`/${family}/purchases/${record.transactionId}`)).toEqual(record);
    }
  });
});

describe.each(["topups", "vouchers", "esim", "billpay"])("the offers of /%s", (family) => {
  it("have either a fixed amount, or fx, min and max, depending on their price type", async () => {
    const { list } = await get(`/${family}/offers?_limit=1024&_offset=0`);
    expect(list.length).toBeGreaterThan(100);
    for (const { offerId, priceType, cost, price, send } of list) {
      for (const block of send ? [cost, price, send] : [cost, price]) {
        const present = ["fixed", "fx", "min", "max"].filter((field) => field in block);
        expect([offerId, present]).toEqual([
          offerId,
          priceType === "FIXED" ? ["fixed"] : ["fx", "min", "max"],
        ]);
      }
      expect([offerId, "increment" in price]).toEqual([offerId, priceType === "RANGE"]);
    }
  });
});

describe("the gateway", () => {
  it("returns transactions of every product type with their fields, in the full list and filtered by type", async () => {
    const { list } = await get("/transactions?_limit=1024&_offset=0");
    const types = new Set<string>();
    for (const record of list) {
      expect(faultsOfRecord(record, TRANSACTION, record.transactionId)).toEqual([]);
      expect("error" in record).toBe(record.status === "FAILED");
      types.add(record.productType);
    }
    const seen = ["TOPUP", "VOUCHER", "ESIM", "RECHARGE_SANDBOX", "BILL_PAY", "REFUND"];
    expect(types).toEqual(new Set(seen));
    const filters = { RECHARGE_SANDBOX: "WALLET_RECHARGE" } as Record<string, string>;
    for (const type of seen) {
      const found = await get(
        `/transactions?_limit=1024&_offset=0&productType=${filters[type] ?? type}`,
      );
      expect(found.list).toEqual(
        list.filter(({ productType }: { productType: string }) => productType === type),
      );
    }
  });

  it("returns remaining data under the correct and the misspelled field name", async () => {
    const { list } = await get(`/esim/${live.iccid}/plans`);
    expect(list).toHaveLength(1);
    expect(list[0].reamainingDataGB).toBe(list[0].remainingDataGB);
  });

  it("returns a QR code as PNG, or as JSON on request", async () => {
    const headers = { authorization: `Bearer ${till.key("test")}`, accept: "application/json" };
    const path = "/v1/esim/purchases/esim-done/qrcode";
    const { body } = await till.call("GET", path, { headers });
    expect(Buffer.from(body.imageBase64, "base64").subarray(1, 4).toString()).toBe("PNG");
  });

  it("serves a report's file only after the report is Ready", async () => {
    const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
    const { body: requested } = await till.v1("POST", "/reports/transactions", period);
    expect(requested.status).toBe("REQUESTED");
    expect(faultsOfRecord(requested, REPORT)).toEqual([]);
    expect("file" in requested).toBe(false);
    await till.advance(SECOND);
    const ready = await get(`/reports/transactions/${requested.reportId}`);
    expect(ready.status).toBe("Ready");
    expect(faultsOfRecord(ready, REPORT)).toEqual([]);
    expect("file" in ready).toBe(true);
  });
});
