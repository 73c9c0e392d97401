import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../contract/common.ts";
import { digestDatabase } from "../testing/database-digest.ts";
import { type Answer, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/**
 * Bad input answers with the documented status and code, names the field, and leaves no trace:
 * no row, no money moved, nothing sent (rules#error-leaves-nothing).
 */
let till: TestGateway;
const keys = { revoked: "", elsewhere: "", inside: "", live: "" };

beforeAll(async () => {
  till = await startTestGateway();
  const { keys: service } = till.gateway.context;
  const test = { accountId: "default", environment: "test" } as const;
  const revoked = await service.create(test, "revoked");
  await service.revoke("default", revoked.keyId);
  keys.revoked = revoked.key;
  keys.elsewhere = (await service.create(test, "elsewhere", ["10.1.2.0/24", "::1"])).key;
  keys.inside = (await service.create(test, "inside", ["127.0.0.0/8"])).key;
  keys.live = till.key("live");
  const bought = await till.v1("POST", "/topups/purchases", { ...FIXED, transactionId: "used" });
  expect(bought.status).toBe(200);
  await till.advance(1_000);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const FIXED = {
  offerId: "TIGO_GT_TOPUP_25",
  transactionId: "new",
  recipientPhoneNumber: "+50251234567",
};
/** Priced 5.00 to 100.00 USD in steps of 0.50. */
const RANGE = { ...FIXED, offerId: "DU_AE_TOPUP_RANGE" };
const DISABLED = { ...FIXED, offerId: "MOVISTAR_SV_TOPUP_20" };

interface Case {
  name: string;
  method?: string;
  path?: string;
  /** Sent as it is when text or bytes, else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  environment?: Environment;
  status: number;
  errorCode: string;
  /** Exactly these fields are named. */
  fields?: string[];
  message?: RegExp;
  allow?: string;
}

/** Sends bytes as they are: `fetch` would mend some of these requests. */
function send(c: Case): Promise<Answer> {
  const { host, port, hostname } = new URL(till.url);
  const { body } = c;
  const text = typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body);
  const headers: Record<string, string> = {
    host,
    authorization: `Bearer ${till.key(c.environment ?? "test")}`,
    ...(text !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    }),
    ...c.headers,
  };
  for (const [name, value] of Object.entries(headers)) if (value === "") delete headers[name];
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method: c.method ?? (text === undefined ? "GET" : "POST"),
        path: c.path ?? "/v1/topups/purchases",
        headers,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const answered = Buffer.concat(chunks).toString("utf8");
          const headers = new Headers(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          );
          resolve({ status: response.statusCode ?? 0, headers, body: parse(answered) });
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function refuses(c: Case): Promise<void> {
  const before = await digestDatabase(till.gateway.context.db);
  const answer = await send(c);
  await till.settle();
  expect(answer.body).toEqual({
    errorCode: c.errorCode,
    message: expect.any(String),
    fields: expect.any(Object),
  });
  expect(answer.status).toBe(c.status);
  expect(answer.body.message).not.toBe("");
  if (c.message) expect(answer.body.message).toMatch(c.message);
  expect(Object.keys(answer.body.fields).sort()).toEqual((c.fields ?? []).sort());
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  if (c.allow) expect(answer.headers.get("allow")).toBe(c.allow);
  expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
}

function check(cases: Case[]): void {
  it.each(cases)("$name → $status $errorCode", refuses);
}

const NOT_AUTHORIZED = { status: 401, errorCode: "NOT_AUTHORIZED", body: FIXED };
const INVALID = { status: 400, errorCode: "INVALID_REQUEST" };

describe("who asks", () => {
  check([
    { name: "no Authorization", headers: { authorization: "" }, ...NOT_AUTHORIZED },
    { name: "another scheme", headers: { authorization: "Basic dGVzdDp0ZXN0" }, ...NOT_AUTHORIZED },
    { name: "a scheme without a key", headers: { authorization: "Bearer" }, ...NOT_AUTHORIZED },
    { name: "two keys", headers: { authorization: "Bearer a b" }, ...NOT_AUTHORIZED },
    { name: "a key without its scheme", headers: { authorization: "test_x" }, ...NOT_AUTHORIZED },
    {
      name: "a key of 257 characters",
      headers: { authorization: `Bearer ${"x".repeat(257)}` },
      ...NOT_AUTHORIZED,
    },
    {
      name: "an unknown key",
      headers: { authorization: `Bearer test_${"A".repeat(43)}` },
      ...NOT_AUTHORIZED,
    },
  ]);

  it("a revoked key → 401 NOT_AUTHORIZED", async () => {
    const authorization = `Bearer ${keys.revoked}`;
    await refuses({ name: "", headers: { authorization }, ...NOT_AUTHORIZED });
  });

  it("a key from an address that is not on its list → 403 FORBIDDEN", async () => {
    const authorization = `Bearer ${keys.elsewhere}`;
    const forbidden = { status: 403, errorCode: "FORBIDDEN", body: FIXED };
    await refuses({ name: "", headers: { authorization }, ...forbidden });
  });

  it("a key from an address on its list is let through", async () => {
    const headers = { authorization: `Bearer ${keys.inside}` };
    expect((await till.call("GET", "/v1/balance", { headers })).status).toBe(200);
  });

  it("is asked before what is asked: no operation tells anything without a key", async () => {
    const paths = ["/balance", "/topups/offers", "/topups/offers/X", "/topups/purchases"];
    for (const path of [
      ...paths,
      "/topups/purchases/used",
      "/transactions",
      "/transactions/used",
    ]) {
      expect((await till.call("GET", `/v1${path}`)).body.errorCode).toBe("NOT_AUTHORIZED");
    }
  });

  check([
    {
      name: "a purchase of the other environment",
      path: "/v1/topups/purchases/used",
      environment: "live",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "a transaction of the other environment",
      path: "/v1/transactions/used",
      environment: "live",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an offer of the other environment",
      path: `/v1/topups/offers/${FIXED.offerId}`,
      environment: "live",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "buying an offer of the other environment",
      body: FIXED,
      environment: "live",
      status: 400,
      errorCode: "OFFER_NOT_FOUND",
      fields: ["offerId"],
    },
  ]);
});

describe("the body", () => {
  const DEEP = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
  check([
    { name: "malformed JSON", body: "{", ...INVALID, fields: ["body"] },
    { name: "JSON with a comma too many", body: '{"offerId":"A",}', ...INVALID, fields: ["body"] },
    { name: "an empty body", body: "", ...INVALID, fields: ["body"] },
    { name: "no body", method: "POST", ...INVALID, fields: ["body"] },
    { name: "null", body: "null", ...INVALID, fields: ["body"] },
    { name: "a list", body: [FIXED], ...INVALID, fields: ["body"] },
    { name: "a text", body: '"buy"', ...INVALID, fields: ["body"] },
    { name: "lists in lists", body: DEEP, ...INVALID, fields: ["body"] },
    ...["text/plain", "application/xml", "application/x-www-form-urlencoded", "x"].map((type) => ({
      name: `content type ${type}`,
      headers: { "content-type": type },
      body: FIXED,
      status: 415,
      errorCode: "UNSUPPORTED_MEDIA_TYPE",
    })),
    {
      name: "no content type",
      headers: { "content-type": "" },
      body: FIXED,
      status: 415,
      errorCode: "UNSUPPORTED_MEDIA_TYPE",
    },
    {
      name: "64 KiB and a byte",
      body: JSON.stringify(FIXED).padEnd(64 * 1024 + 1, " "),
      status: 413,
      errorCode: "PAYLOAD_TOO_LARGE",
    },
    { name: "__proto__", body: '{"__proto__":{"offerId":"A"}}', ...INVALID, fields: ["body"] },
    {
      name: "constructor.prototype",
      body: '{"constructor":{"prototype":{"x":1}}}',
      ...INVALID,
      fields: ["body"],
    },
    {
      name: "a name twice",
      body: JSON.stringify(FIXED).replace("{", '{"offerId":"TIGO_GT_TOPUP_50",'),
      ...INVALID,
      fields: ["offerId"],
    },
    {
      name: "a name twice inside, once with an escape",
      body: JSON.stringify({ ...FIXED, sender: {} }).replace(
        '"sender":{}',
        String.raw`"sender":{"country":"GT","countr\u0079":"US"}`,
      ),
      ...INVALID,
      fields: ["sender.country"],
    },
    {
      name: "a name twice in an item of a list",
      path: "/v1/vouchers/purchases",
      body: '{"fields":[{"key":"a","value":"1"},{"key":"a","value":"1","value":"2"}]}',
      ...INVALID,
      fields: ["fields.1.value"],
    },
    {
      name: "a name twice at the till",
      path: "/pos/session",
      body: '{"staffId":"x","pin":"1111","pin":"2222"}',
      ...INVALID,
      fields: ["pin"],
    },
    {
      name: "half of a character at the till",
      path: "/pos/session",
      body: { staffId: "x\ud83d", pin: "1111" },
      ...INVALID,
      fields: ["staffId"],
    },
    {
      name: "half of a character, which no strict reader of the record could read",
      path: "/v1/vouchers/purchases",
      body: {
        offerId: "AMAZON_US_GIFT_25",
        transactionId: "new",
        fields: [{ key: "recipient.firstName", value: "Ana \ud83d" }],
      },
      ...INVALID,
      fields: ["fields.0.value"],
    },
    {
      name: "letters of another encoding than UTF-8, said or not",
      path: "/v1/vouchers/purchases",
      headers: { "content-type": "application/json; charset=iso-8859-1" },
      body: Buffer.from(
        JSON.stringify({
          offerId: "AMAZON_US_GIFT_25",
          transactionId: "new",
          fields: [{ key: "recipient.firstName", value: "José" }],
        }),
        "latin1",
      ),
      ...INVALID,
      fields: ["body"],
    },
    { name: "an unknown field", body: { ...FIXED, note: "x" }, ...INVALID, fields: ["note"] },
    {
      name: "an unknown field inside",
      body: { ...FIXED, sender: { name: "Ana" } },
      ...INVALID,
      fields: ["sender.name"],
    },
    {
      name: "every field missing",
      body: {},
      ...INVALID,
      fields: ["offerId", "transactionId", "recipientPhoneNumber"],
    },
    ...Object.keys(FIXED).map((field) => ({
      name: `${field} missing`,
      body: { ...FIXED, [field]: undefined },
      ...INVALID,
      fields: [field],
    })),
    ...Object.keys(FIXED).flatMap((field) =>
      [null, 1, "", ["x"], { x: 1 }].map((value) => ({
        name: `${field} is ${JSON.stringify(value)}`,
        body: { ...FIXED, [field]: value },
        ...INVALID,
        fields: [field],
      })),
    ),
    {
      name: "sender with a country in small letters",
      body: { ...FIXED, sender: { country: "gt" } },
      ...INVALID,
      fields: ["sender.country"],
    },
    {
      name: "sender with a number that is not E.164",
      body: { ...FIXED, sender: { phoneNumber: "5551234" } },
      ...INVALID,
      fields: ["sender.phoneNumber"],
    },
  ]);

  it("of exactly 64 KiB is read", async () => {
    const body = JSON.stringify({ ...FIXED, transactionId: "large" }).padEnd(64 * 1024, " ");
    expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
    await till.advance(1_000);
  });
});

describe("a parameter that an operation does not have", () => {
  check(
    [
      "/balance",
      "/topups/offers/TIGO_GT_TOPUP_25",
      "/topups/purchases/used",
      "/transactions/used",
      "/tools/phonenumberlookup/+50251234567",
    ].map((path) => ({
      name: path,
      path: `/v1${path}?fields=all`,
      ...INVALID,
      fields: ["fields"],
    })),
  );
  check([
    {
      name: "of a purchase",
      path: "/v1/topups/purchases?dryRun=1",
      body: FIXED,
      ...INVALID,
      fields: ["dryRun"],
    },
  ]);
});

describe("a phone number that is not E.164", () => {
  check(
    [
      "50251234567",
      "0050251234567",
      "+0250251234567",
      "+502 5123 4567",
      "+502-5123-4567",
      "+(502)51234567",
      "+1",
      "+12345",
      "+1234567890123456",
      "+5025123456x",
      "+٥٠٢٥١٢٣٤٥٦٧",
      "+50251234567\n",
      " +50251234567",
      "++50251234567",
    ].map((number) => ({
      name: JSON.stringify(number),
      body: { ...FIXED, recipientPhoneNumber: number },
      ...INVALID,
      fields: ["recipientPhoneNumber"],
    })),
  );
});

describe("a transaction id that is none", () => {
  const LONG = "x".repeat(129);
  check(
    ["a b", "a/b", "a.b", "a:b", "é", "a\n", "a\u0000", "\ud800", "😀", "%41", LONG].map((id) => ({
      name: id === LONG ? "129 characters" : JSON.stringify(id),
      body: { ...FIXED, transactionId: id },
      ...INVALID,
      fields: ["transactionId"],
    })),
  );

  it("of 128 characters of every kind is taken", async () => {
    const transactionId = `${"Az0_-".repeat(25)}xyz`;
    const answer = await till.v1("POST", "/topups/purchases", { ...FIXED, transactionId });
    expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
    await till.advance(1_000);
    expect((await till.v1("GET", `/topups/purchases/${transactionId}`)).body.status).toBe("DONE");
  });

  check([
    {
      name: "used before, the same body",
      body: { ...FIXED, transactionId: "used" },
      status: 400,
      errorCode: "DUPLICATE_TRANSACTION_ID",
      fields: ["transactionId"],
    },
    {
      name: "used before, another body",
      body: { ...FIXED, transactionId: "used", recipientPhoneNumber: "+50259999999" },
      status: 400,
      errorCode: "DUPLICATE_TRANSACTION_ID",
      fields: ["transactionId"],
    },
  ]);
});

describe("the offer and its value", () => {
  function value(amount: unknown, type: unknown = "PRICE") {
    return { ...RANGE, value: { type, value: amount } };
  }
  const OUT_OF_RANGE = { status: 400, errorCode: "VALUE_OUT_OF_RANGE", fields: ["value.value"] };
  check([
    {
      name: "an unknown offer",
      body: { ...FIXED, offerId: "NO_SUCH_OFFER" },
      status: 400,
      errorCode: "OFFER_NOT_FOUND",
      fields: ["offerId"],
    },
    ...["__proto__", "constructor", "x\u0000", "x".repeat(128)].map((offerId) => ({
      name: `an offer called ${JSON.stringify(offerId).slice(0, 20)}`,
      body: { ...FIXED, offerId },
      status: 400,
      errorCode: "OFFER_NOT_FOUND",
      fields: ["offerId"],
    })),
    {
      name: "a disabled offer",
      body: DISABLED,
      status: 400,
      errorCode: "OFFER_DISABLED",
      fields: ["offerId"],
    },
    {
      name: "FIXED with a value",
      body: { ...FIXED, value: { type: "PRICE", value: 330 } },
      status: 400,
      errorCode: "VALUE_NOT_ALLOWED",
      fields: ["value"],
    },
    {
      name: "RANGE without a value",
      body: RANGE,
      status: 400,
      errorCode: "VALUE_REQUIRED",
      fields: ["value"],
    },
    { name: "PRICE below min", body: value(499), ...OUT_OF_RANGE },
    { name: "PRICE above max", body: value(10_001), ...OUT_OF_RANGE },
    { name: "PRICE a step above max", body: value(10_050), ...OUT_OF_RANGE },
    { name: "PRICE off the increment", body: value(501), ...OUT_OF_RANGE },
    { name: "COST below min", body: value(454, "COST"), ...OUT_OF_RANGE },
    { name: "COST above max", body: value(9_101, "COST"), ...OUT_OF_RANGE },
    { name: "ZEND below min", body: value(1_764, "ZEND"), ...OUT_OF_RANGE },
    { name: "ZEND above max", body: value(35_301, "ZEND"), ...OUT_OF_RANGE },
    {
      name: "the largest safe integer",
      body: value(Number.MAX_SAFE_INTEGER, "ZEND"),
      ...OUT_OF_RANGE,
    },
    ...["3", "500", 500.5, 0, -500, 2 ** 53, null, true, [500]].map((amount) => ({
      name: `value ${JSON.stringify(amount)}`,
      body: value(amount),
      ...INVALID,
      fields: ["value.value"],
    })),
    ...["SEND", "price", "", null, 1].map((type) => ({
      name: `value type ${JSON.stringify(type)}`,
      body: value(500, type),
      ...INVALID,
      fields: ["value.type"],
    })),
    {
      name: "a value without its type",
      body: { ...RANGE, value: { value: 500 } },
      ...INVALID,
      fields: ["value.type"],
    },
    {
      name: "a value without its amount",
      body: { ...RANGE, value: { type: "PRICE" } },
      ...INVALID,
      fields: ["value.value"],
    },
    {
      name: "a value with more",
      body: { ...RANGE, value: { type: "PRICE", value: 500, currency: "USD" } },
      ...INVALID,
      fields: ["value.currency"],
    },
    {
      name: "a value that is a number",
      body: { ...RANGE, value: 500 },
      ...INVALID,
      fields: ["value"],
    },
    {
      name: "a number too long for JSON to keep",
      body: JSON.stringify(value(1)).replace(":1}", ":1e400}"),
      ...INVALID,
      fields: ["value.value"],
    },
  ]);
});

describe("the query", () => {
  const LISTS = ["/v1/topups/purchases", "/v1/transactions", "/v1/topups/offers"];
  const PAGING: [name: string, query: string, fields: string[]][] = [
    ["nothing", "", ["_limit", "_offset"]],
    ["_limit missing", "_offset=0", ["_limit"]],
    ["_offset missing", "_limit=1", ["_offset"]],
    ["_limit 0", "_limit=0&_offset=0", ["_limit"]],
    ["_limit -1", "_limit=-1&_offset=0", ["_limit"]],
    ["_limit 1025", "_limit=1025&_offset=0", ["_limit"]],
    ["_limit ten", "_limit=ten&_offset=0", ["_limit"]],
    ["_limit 1.5", "_limit=1.5&_offset=0", ["_limit"]],
    ["_limit empty", "_limit=&_offset=0", ["_limit"]],
    ["_limit twice", "_limit=1&_limit=2&_offset=0", ["_limit"]],
    ["_limit NaN", "_limit=NaN&_offset=0", ["_limit"]],
    ["_limit Infinity", "_limit=Infinity&_offset=0", ["_limit"]],
    ["_limit in hexadecimal", "_limit=0x10&_offset=0", ["_limit"]],
    ["_limit with an exponent", "_limit=1e2&_offset=0", ["_limit"]],
    ["_limit with a space", "_limit=%205&_offset=0", ["_limit"]],
    ["_limit with a plus", "_limit=%2B5&_offset=0", ["_limit"]],
    ["_limit as a list", "_limit[]=1&_offset=0", ["_limit", "_limit[]"]],
    ["_offset -1", "_limit=1&_offset=-1", ["_offset"]],
    ["_offset x", "_limit=1&_offset=x", ["_offset"]],
    ["_offset 2^53", "_limit=1&_offset=9007199254740992", ["_offset"]],
    ["_offset twice", "_limit=1&_offset=0&_offset=0", ["_offset"]],
    ["an unknown parameter", "_limit=1&_offset=0&page=2", ["page"]],
  ];
  check(
    LISTS.flatMap((path) =>
      PAGING.map(([name, query, fields]) => ({
        name: `${path}: ${name}`,
        path: `${path}?${query}`,
        ...INVALID,
        fields,
      })),
    ),
  );

  const FILTERS: [path: string, filter: string, values: string[]][] = [
    ["/v1/topups/purchases", "status", ["", "done", "DONE,FAILED", "OPEN", "DONE&status=FAILED"]],
    ["/v1/transactions", "status", ["", "done", "ACTIVE"]],
    ["/v1/transactions", "type", ["", "debit", "CARD"]],
    [
      "/v1/transactions",
      "productType",
      ["", "topup", "RECHARGE_SANDBOX", "RECHARGE_WITH_CREDIT_CARD", "CASH"],
    ],
    ["/v1/topups/offers", "country", ["", "gt", "GTM", "G1", "%00"]],
    ["/v1/topups/offers", "regions", ["", "global", "Central%20america", "Europe"]],
    ["/v1/topups/offers", "subType", ["", "mobile top up", "Mobile%20SMS"]],
    ["/v1/topups/offers", "brand", ["", "x".repeat(129)]],
  ];
  check(
    FILTERS.flatMap(([path, filter, values]) =>
      values.map((value) => ({
        name: `${path}: ${filter}=${value.slice(0, 30)}`,
        path: `${path}?_limit=1&_offset=0&${filter}=${value.replaceAll(" ", "%20")}`,
        ...INVALID,
        fields: [filter],
      })),
    ),
  );

  const TIMES = [
    "",
    "gte",
    "2026-01-15",
    "2026-01-15T09:30Z",
    "2026-01-15T09:30:00",
    "2026-01-15T09:30:00+00:00",
    "2026-01-15T09:30:00.Z",
    "2026-01-15t09:30:00z",
    "2026-01-15 09:30:00Z",
    "eq2026-01-15T09:30:00Z",
    "GTE2026-01-15T09:30:00Z",
    ">2026-01-15T09:30:00Z",
    "gte 2026-01-15T09:30:00Z",
    "2026-02-30T00:00:00Z",
    "lt2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-01-15T24:00:00Z",
    "2026-01-15T09:60:00Z",
    "2026-01-15T09:30:60Z",
    "2026-01-15T09:30:00.1234567890Z",
    "1768469400000",
    "2026-01-15T09:30:00Z'--",
  ];
  check(
    ["/v1/topups/purchases", "/v1/transactions"].flatMap((path) =>
      TIMES.map((time) => ({
        name: `${path}: createdAt ${time}`,
        path: `${path}?_limit=1&_offset=0&createdAt=${encodeURIComponent(time)}`,
        ...INVALID,
        fields: ["createdAt"],
      })),
    ),
  );
});

describe("the address", () => {
  check([
    { name: "an unknown route", path: "/v1/nothing", status: 404, errorCode: "NOT_FOUND" },
    { name: "an unknown version", path: "/v2/balance", status: 404, errorCode: "NOT_FOUND" },
    { name: "an unknown route of the till", path: "/pos/x", status: 404, errorCode: "NOT_FOUND" },
    {
      name: "an unknown offer",
      path: "/v1/topups/offers/NO_SUCH_OFFER",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an offer named like a part of the language",
      path: "/v1/topups/offers/__proto__",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an unknown purchase",
      path: "/v1/topups/purchases/nobody",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an unknown transaction",
      path: "/v1/transactions/nobody",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "a transaction id that is none",
      path: "/v1/transactions/a%20b",
      ...INVALID,
      fields: ["transactionId"],
    },
    {
      name: "a NUL in the path",
      path: "/v1/transactions/a%00b",
      ...INVALID,
      fields: ["transactionId"],
    },
    {
      name: "an offer id of 129 characters",
      path: `/v1/topups/offers/${"x".repeat(129)}`,
      ...INVALID,
      fields: ["offerId"],
    },
    {
      name: "a path part of 5,000 characters",
      path: `/v1/topups/offers/${"x".repeat(5_000)}`,
      ...INVALID,
    },
    { name: "a path that cannot be decoded", path: "/v1/transactions/%E0%A4%A", ...INVALID },
    { name: "a percent sign alone", path: "/v1/transactions/%", ...INVALID },
    {
      name: "DELETE of a purchase",
      method: "DELETE",
      path: "/v1/topups/purchases/used",
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
    {
      name: "PUT on the purchases",
      method: "PUT",
      body: FIXED,
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD, POST",
    },
    {
      name: "POST on the balance",
      path: "/v1/balance?x=1",
      body: {},
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
    {
      name: "OPTIONS",
      method: "OPTIONS",
      path: "/v1/transactions",
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
    {
      name: "a method that nobody has",
      method: "PROPFIND",
      path: "/v1/transactions",
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
      allow: "GET, HEAD",
    },
  ]);
});

describe("a request that a foreign page makes a browser send", () => {
  const FORBIDDEN = { status: 403, errorCode: "FORBIDDEN" };
  check([
    { name: "a foreign Host", headers: { host: "evil.example" }, ...FORBIDDEN, fields: ["host"] },
    {
      name: "a foreign Host that begins like ours",
      headers: { host: "localhost.evil.example:8787" },
      ...FORBIDDEN,
      fields: ["host"],
    },
    { name: "a foreign address", headers: { host: "10.0.0.9" }, ...FORBIDDEN, fields: ["host"] },
    {
      name: "a foreign Origin",
      headers: { origin: "https://evil.example" },
      body: FIXED,
      ...FORBIDDEN,
      fields: ["origin"],
    },
    { name: "Origin null", headers: { origin: "null" }, ...FORBIDDEN, fields: ["origin"] },
    {
      name: "the Origin of another port",
      headers: { origin: "http://127.0.0.1:1" },
      ...FORBIDDEN,
      fields: ["origin"],
    },
    {
      name: "a foreign Host on the till",
      path: "/pos/status",
      headers: { host: "evil.example" },
      ...FORBIDDEN,
      fields: ["host"],
    },
    {
      name: "a foreign Host on the pages",
      path: "/",
      headers: { host: "evil.example" },
      ...FORBIDDEN,
      fields: ["host"],
    },
  ]);

  it("from our own origin is let through", async () => {
    const { host } = new URL(till.url);
    const answer = await send({
      name: "",
      path: "/v1/balance",
      headers: { origin: `http://${host}` },
      status: 200,
      errorCode: "",
    });
    expect(answer.status).toBe(200);
  });
});

describe("bytes that are no request", () => {
  it.each([
    ["a protocol that is none", "GET / HTTP/9\r\n\r\n"],
    ["a header that never ends", `GET / HTTP/1.1\r\nx: ${"y".repeat(70_000)}\r\n\r\n`],
    ["two lengths", "POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx"],
  ])("%s is answered in the same form", async (_name, bytes) => {
    const { port } = new URL(till.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
      let text = "";
      socket.setEncoding("utf8");
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
    });
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head.toLowerCase()).toContain("\r\nx-request-id: ");
    expect(JSON.parse(body)).toMatchObject({ errorCode: "INVALID_REQUEST", fields: {} });
  });
});
