import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getConnections } from "../../../db/connections.ts";
import type { Db } from "../../../db/database.ts";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import "../../../testing/seed.ts";
import { isOnPostgres, onlySqlite } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { maskText } from "./secret-mask.ts";

const FILE = "a database server has no file of its own for requests";

let shop: TestGateway;
let owner: TestTill;
let stored: Db;
const statements: string[] = [];
beforeAll(async () => {
  shop = await startTestGateway({ onStatement: (text) => statements.push(text) });
  owner = await openTill(shop);
  stored = await openStored(shop);
});
afterAll(async () => {
  await stored.destroy();
  await shop.close();
});

function openStored({ gateway, dataDir }: TestGateway): Promise<Db> {
  return getConnections(gateway.context.db).openRequests(dataDir);
}

async function countStored(db = stored): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from api_requests`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function list(query: Record<string, string> = {}, till = owner) {
  const asked = new URLSearchParams({ environment: "test", limit: "50", ...query });
  return (await till.pos("GET", `/requests?${asked}`)).body;
}

async function read(requestNo: number) {
  return (await owner.pos("GET", `/requests/${requestNo}`)).body;
}

describe("the request log", () => {
  it("records each request of a key with its answer and transaction", async () => {
    const order = { offerId: "TIGO_GT_TOPUP_25", transactionId: "order-1" };
    await shop.v1("POST", "/topups/purchases", { ...order, recipientPhoneNumber: "+50251234567" });
    await shop.settle();
    await shop.advance(5 * SECOND);
    const answer = await shop.v1("GET", "/topups/purchases/order-1");
    await shop.v1("GET", "/topups/purchases/order-2");
    const found = await list();
    expect(found).toMatchObject({
      dropped: 0,
      list: [
        { method: "GET", path: "/v1/topups/purchases/order-2", status: 404 },
        {
          method: "GET",
          path: "/v1/topups/purchases/order-1",
          status: 200,
          transactionId: "order-1",
          requestId: answer.headers.get("x-request-id"),
          keyName: expect.any(String),
          duration_ms: expect.any(Number),
        },
        { method: "POST", path: "/v1/topups/purchases", transactionId: "order-1" },
      ],
    });
    const purchase = await read(found.list[2].requestNo);
    expect(JSON.parse(purchase.request.text)).toEqual({
      ...order,
      recipientPhoneNumber: "•••4567",
    });
    expect(JSON.parse(purchase.response.text)).toMatchObject({ transactionId: "order-1" });
    const record = await read(found.list[1].requestNo);
    expect(JSON.parse(record.response.text)).toEqual({
      ...answer.body,
      recipientPhoneNumber: "•••4567",
      confirmation: expect.objectContaining({ confirmationNumber: "•••" }),
    });
  });

  it("finds requests by path, status, transaction, request, key and time", async () => {
    const all = (await list()).list;
    const [newest] = all;
    const numbersOf = async (query: Record<string, string>) =>
      (await list(query)).list.map((one: { path: string }) => one.path);
    expect(await numbersOf({ path: "order-2" })).toEqual([newest.path]);
    expect(await numbersOf({ path: "order_2" })).toEqual([]);
    expect(await numbersOf({ status: "4xx" })).toEqual([newest.path]);
    expect(await numbersOf({ status: "5xx" })).toEqual([]);
    expect(await numbersOf({ transactionId: "order-1" })).toHaveLength(2);
    expect(await numbersOf({ requestId: newest.requestId })).toEqual([newest.path]);
    expect(await numbersOf({ keyId: newest.keyId })).toHaveLength(all.length);
    expect(await numbersOf({ keyId: "none" })).toEqual([]);
    expect(await numbersOf({ environment: "live" })).toEqual([]);
    expect(await numbersOf({ until: "2020-01-01T00:00:00.000Z" })).toEqual([]);
    expect(await numbersOf({ since: "2020-01-01T00:00:00.000Z" })).toHaveLength(all.length);
    const first = await list({ limit: "1" });
    expect(first.next).toBe(newest.requestNo);
    expect((await list({ before: String(first.next) })).list).toEqual(all.slice(1));
  });

  it("records refusals of a key, and no request without a valid key", async () => {
    const before = await countAll();
    await shop.call("GET", "/v1/balance", { headers: { authorization: "Bearer wrong" } });
    expect(await countAll()).toBe(before);
    const input = { environment: "test", name: "Reader", scopes: ["read"] };
    const { secret } = (await owner.pos("POST", "/keys", input)).body;
    const headers = { authorization: `Bearer ${secret}` };
    await shop.call("POST", "/v1/topups/purchases", { headers, body: {} });
    const [refused] = (await list()).list;
    expect(refused).toMatchObject({ status: 403, keyName: "Reader" });
    const { response } = await read(refused.requestNo);
    expect(response.text).toContain("lacks the scope sell");
  });

  it("writes many requests together, behind them, and never in the shop's database", async () => {
    await list();
    const before = await countStored();
    const first = statements.length;
    for (let number = 0; number < 45; number++) await shop.v1("GET", "/balance");
    expect(await countStored()).toBe(before);
    await shop.advance(SECOND);
    await list();
    expect(await countStored()).toBe(before + 45);
    expect(statements.slice(first).filter((text) => /api_requests/.test(text))).toEqual([]);
  });

  it("leaves the file that backups copy without requests", onlySqlite(FILE), async () => {
    expect(await countStored(shop.gateway.context.db)).toBe(0);
  });

  it("keeps the size of a body over 16 kB, but not the body", async () => {
    const notes = "x".repeat(17_000);
    const answer = await shop.v1("POST", "/topups/purchases", { notes });
    expect(answer.status).toBe(400);
    const [newest] = (await list()).list;
    const { request, response } = await read(newest.requestNo);
    expect(request).toEqual({ bytes: JSON.stringify({ notes }).length });
    expect(response.text).toContain("notes");
  });

  it("records bodies of requests that do not state their size", async () => {
    const headers = { authorization: `Bearer ${shop.key("test")}` };
    for (const size of [10, 17_000]) {
      const chunks = ['{"notes":"', "x".repeat(size), '"}'];
      await sendChunks(`${shop.url}/v1/topups/purchases`, headers, chunks);
    }
    const [large, small] = (await list({ limit: "2" })).list;
    expect((await read(large.requestNo)).request).toEqual({ bytes: 17_012 });
    expect((await read(small.requestNo)).request).toMatchObject({
      bytes: 22,
      text: expect.stringContaining("notes"),
    });
  });

  it("shows an owner no request of another account or of a deleted key", async () => {
    const [newest] = (await list()).list;
    await sql`update api_requests set account_id = 'other'
      where request_no = ${newest.requestNo}`.execute(stored);
    expect((await list()).list[0].requestNo).toBeLessThan(newest.requestNo);
    expect((await read(newest.requestNo)).errorCode).toBe("NOT_FOUND");
  });
});

async function sendChunks(url: string, headers: Record<string, string>, chunks: string[]) {
  const body = Readable.toWeb(Readable.from(chunks.map((text) => Buffer.from(text))));
  const json = { "content-type": "application/json", ...headers };
  const init = { method: "POST", headers: json, body: body as never, duplex: "half" } as const;
  await (await fetch(url, init)).text();
}

async function countAll(): Promise<number> {
  await list();
  return countStored();
}

/** Values that must not stand in the log, wherever a program sends them. */
const secrets = fc.oneof(
  fc.stringMatching(/^(test|live)_[A-Za-z0-9_-]{43}$/),
  fc.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
  fc.stringMatching(/^LPA:1\$smdp\.example\$[A-Z0-9-]{12}$/),
  fc.constantFrom("4111111111111111", "5500 0055 5555 5559", "3782-822463-10005"),
);
/** Codes without a form of their own. They are found only by the field. */
const codes = fc.oneof(fc.stringMatching(/^\d{6,12}$/), fc.stringMatching(/^[A-Z0-9]{4}-\d{4}$/));
const NAMES = ["offerId", "transactionId", "fields", "sender", "recipient", "value", "type"];
const unknownNames = fc.constantFrom("pin", "code", "epin", "cardNumber", "cvv", "note", "x");

/** A value with the secret somewhere inside. */
function around(secret: fc.Arbitrary<unknown>, names: fc.Arbitrary<string>) {
  return fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      secret,
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
      fc.dictionary(names, tie("node"), { minKeys: 1, maxKeys: 3 }),
    ),
  })).node;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("a body in the request log", () => {
  it("stores no key, token, card number or activation code, whatever the field", async () => {
    const names = fc.oneof(fc.constantFrom(...NAMES), unknownNames, secrets);
    await expectHidden(around(secrets, names));
  });

  it("stores no code in a field that the operation does not document", async () => {
    await expectHidden(around(codes, unknownNames));
  });

  it("stores no PIN, link or activation code of the four families", async () => {
    const hidden = await buyEveryFamily();
    expect(hidden.length).toBeGreaterThan(5);
    const text = await readAll();
    expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).toContain("smdpAddress");
    expect(text).not.toContain(shop.key("test"));
  });

  it("shows the last digits of a phone number, in paths, bodies and errors", async () => {
    for (const path of ["+50221234567", "50221234567"]) {
      await shop.v1("GET", `/tools/phonenumberlookup/${path}`);
    }
    await shop.v1("GET", "/balance?pin=4821&msisdn=50221234567");
    const text = await readAll(3);
    expect(text).not.toMatch(/50221234567|4821/);
    expect(text).toContain("•••4567");
  });
});

describe("a text in the request log", () => {
  it("takes linear time to mask, whatever it contains", () => {
    expect(maskText("eyJ-".repeat(250_000))).toHaveLength(1_000_000);
    expect(maskText("token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x")).toBe("token=•••");
  });

  it("stores no account number, phone number or PIN, whatever the form of `fields`", async () => {
    await shop.v1("GET", "/billpay/bills/AYSA?accountNumber=30001234567&billIdentifier=20260199");
    const forms = [
      [{ key: "accountNumber", value: 30001234567 }],
      { accountNumber: "30001234567", phone: { number: "+50251239876" }, type: 4821 },
      [{ key: "pin", value: { value: "4821", type: ["50251239876"] } }],
    ];
    for (const fields of forms) await shop.v1("POST", "/vouchers/purchases", { fields });
    const text = await readAll(4);
    expect(text).not.toMatch(/30001234567|20260199|50251239876|4821/);
  });

  it("has no personal number of the request, however a program writes it", async () => {
    for (const number of ["50251239876", "5025-123 9876", "51239876"]) {
      const order = { offerId: `to ${number}`, recipientPhoneNumber: "+50251239876" };
      await shop.v1("POST", "/topups/purchases", { ...order, transactionId: "words-1" });
    }
    const text = await readAll(3);
    expect(text).not.toMatch(/1239876|123 9876/);
    expect(text).toContain("to •••9876");
  });

  it("names no transaction if the id in the path cannot be one", async () => {
    for (const id of ["a%00b", "a.b"]) await shop.v1("GET", `/topups/purchases/${id}`);
    const found = (await list({ limit: "2" })).list;
    expect(found).toHaveLength(2);
    for (const one of found) expect(one).not.toHaveProperty("transactionId");
  });
});

async function readAll(limit = 200): Promise<string> {
  const found = (await list({ limit: String(limit) })).list as { requestNo: number }[];
  const details = [];
  for (const { requestNo } of found) details.push(await read(requestNo));
  return JSON.stringify(details);
}

async function expectHidden(bodies: fc.Arbitrary<unknown>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      await shop.v1("POST", "/vouchers/purchases", body);
      const text = await readAll(1);
      const sent = [...new Set([...textsIn(body), ...namesIn(body)])];
      const hidden = sent.filter((one) => !NAMES.includes(one) && !/^[a-zA-Z]+$/.test(one));
      expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
    }),
    { numRuns: 60 },
  );
}

function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(namesIn)];
}

/** @returns the delivered details of every answer */
async function buyEveryFamily(): Promise<string[]> {
  const meter = [
    { key: "meter.number", value: "01234567890" },
    { key: "recipient.msisdn", value: "+27821234567" },
  ];
  const bill = [
    { key: "accountNumber", value: "30001234567" },
    { key: "billIdentifier", value: "202601" },
  ];
  const orders = {
    topups: { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251230000" },
    vouchers: {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      fields: meter,
      value: { type: "ZEND", value: 10_000 },
    },
    esim: { offerId: "AIRALO_ES_1GB_7D" },
    billpay: {
      offerId: "AYSA_AR_BILL_WATER",
      fields: bill,
      value: { type: "ZEND", value: 6_066_500 },
    },
  };
  const hidden: string[] = ["01234567890", "+27821234567", "30001234567", "+50251230000"];
  for (const [family, order] of Object.entries(orders)) {
    const transactionId = `${family}-order`;
    await shop.v1("POST", `/${family}/purchases`, { ...order, transactionId });
    await shop.settle();
    await shop.advance(5 * SECOND);
    const { body } = await shop.v1("GET", `/${family}/purchases/${transactionId}`);
    expect([family, body.status]).toEqual([family, "DONE"]);
    await shop.v1("GET", `/${family}/purchases?_limit=5&_offset=0`);
    const { receipt, confirmation = {} } = body;
    const { epin, voucherId, redemptionUrl, accountId } = receipt ?? {};
    const { activationCode, confirmationNumber } = confirmation;
    hidden.push(epin, voucherId, redemptionUrl, accountId, activationCode, confirmationNumber);
  }
  const accept = {
    headers: { accept: "application/json", authorization: `Bearer ${shop.key("test")}` },
  };
  const qr = await shop.call("GET", "/v1/esim/purchases/esim-order/qrcode", accept);
  await shop.v1("GET", "/esim/purchases/esim-order/qrcode");
  await shop.v1("GET", "/transactions?_limit=20&_offset=0");
  hidden.push(qr.body.imageBase64);
  return hidden.filter((text) => typeof text === "string" && text !== "");
}

describe("the bounds of the request log", () => {
  it("hide a request older than 7 days that is not deleted yet", async () => {
    await shop.v1("GET", "/balance");
    const { requestNo } = (await list()).list[0];
    const path = `/requests/${requestNo}`;
    expect((await owner.pos("GET", path)).status).toBe(200);
    await sql`update api_requests set received_at = received_at - cast(${8 * DAY} as bigint)
      where request_no = ${requestNo}`.execute(stored);
    expect((await owner.pos("GET", path)).status).toBe(404);
  });

  it("keep 100,000 requests of a key, and 7 days", async () => {
    await shop.v1("GET", "/balance");
    const { keyId } = (await list()).list[0];
    // Rows are in the order of their times.
    await sql`delete from api_requests`.execute(stored);
    await sql`insert into api_requests (account_id, environment, key_id, request_id, received_at,
        method, path, status, duration_ms)
      with recursive numbers (n) as
        (select 1 union all select n + 1 from numbers where n < 100000)
      select 'default', 'test', cast(${keyId} as text), 'old',
        cast(${shop.clock.now() - 6 * DAY} as bigint), 'GET', '/v1/old', 200, 1
      from numbers`.execute(stored);
    // A new process counts the stored requests.
    await shop.restart();
    await shop.v1("GET", "/balance");
    await list();
    const { rows } = await sql<{ count: number }>`select count(*) as count from api_requests
      where key_id = ${keyId}`.execute(stored);
    expect(rows).toEqual([{ count: 100_000 }]);
    await shop.advance(2 * DAY);
    await shop.gateway.context.requestLog.flush();
    expect(await countStored()).toBeLessThan(1_000);
    await shop.advance(6 * DAY);
    await shop.gateway.context.requestLog.flush();
    expect(await countStored()).toBe(0);
  });
});

describe.runIf(isOnPostgres())("the request log on a database server", () => {
  it("keeps 1,000,000 requests of all keys", async () => {
    await sql`insert into api_requests (account_id, environment, key_id, request_id, received_at,
        method, path, status, duration_ms)
      select 'default', 'test', 'key-' || n % 20, 'old', ${shop.clock.now()}::bigint, 'GET',
        '/v1/old', 200, 1
      from generate_series(1, 1000010) n`.execute(stored);
    await shop.advance(MINUTE);
    await shop.v1("GET", "/balance");
    await shop.gateway.context.requestLog.flush();
    expect(await countStored()).toBe(1_000_000);
    await sql`truncate api_requests`.execute(stored);
  });
});

describe("a request log that cannot be written", () => {
  it("drops only the requests whose rows cannot be made or stored", async () => {
    const other = await startTestGateway();
    const till = await openTill(other);
    const { requestLog } = other.gateway.context;
    await other.v1("GET", "/balance");
    const [{ keyId }] = (await list({}, till)).list;
    const row = {
      account_id: other.gateway.context.accountId,
      environment: "test",
      key_id: keyId,
      request_id: "r",
      received_at: other.clock.now(),
      method: "GET",
      path: "/v1/x",
      status: 200,
      duration_ms: 1,
      transaction_id: null,
      request_bytes: null,
      request_body: null,
      response_bytes: null,
      response_body: null,
    };
    for (let number = 0; number < 30; number++) {
      requestLog.record(1, () => ({ ...row, status: number === 9 ? null : 200 }));
    }
    requestLog.record(1, () => {
      throw new Error("a body cannot be masked");
    });
    const found = await list({}, till);
    expect([found.list.length, found.dropped]).toEqual([30, 2]);
    await other.close();
  });

  it("drops and counts requests, and sales continue", onlySqlite(FILE), async () => {
    const other = await startTestGateway();
    const till = await openTill(other);
    const file = join(other.dataDir, "requests.db");
    mkdirSync(file);
    const order = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const sold = await other.v1("POST", "/topups/purchases", { ...order, transactionId: "a" });
    expect(sold.status).toBe(200);
    await other.gateway.context.requestLog.flush();
    rmdirSync(file);
    expect(await list({}, till)).toMatchObject({ list: [], dropped: 1 });
    await other.close();
  });

  it("starts anew if its file becomes damaged, and sales continue", onlySqlite(FILE), async () => {
    const other = await startTestGateway();
    const till = await openTill(other);
    const file = join(other.dataDir, "requests.db");
    const isReady = async () => (await other.call("GET", "/readyz")).status;
    for (const use of ["write", "list"]) {
      await other.v1("GET", "/balance");
      await list({}, till);
      damage(file);
      if (use === "write") await other.v1("GET", "/balance");
      const answer = await list({}, till);
      expect([use, answer.list?.length]).toEqual([use, use === "write" ? 1 : 0]);
      expect(await isReady()).toBe(200);
    }
    await other.close();
  });

  it("reports an unreadable file without stopping sales", onlySqlite(FILE), async () => {
    const other = await startTestGateway();
    const till = await openTill(other);
    mkdirSync(join(other.dataDir, "requests.db"));
    const answer = await list({}, till);
    expect(answer).toMatchObject({ errorCode: "SYSTEM_UNAVAILABLE" });
    expect(answer.message).toContain("request log");
    expect((await other.call("GET", "/readyz")).status).toBe(200);
    await other.close();
  });

  it("starts anew if its file is damaged", onlySqlite(FILE), async () => {
    const other = await startTestGateway();
    const till = await openTill(other);
    writeFileSync(join(other.dataDir, "requests.db"), "no database ".repeat(1_000));
    await other.v1("GET", "/balance");
    expect((await list({}, till)).list).toHaveLength(1);
    await other.close();
  });
});

/** Damages the schema, which an open connection then reads again. */
function damage(file: string): void {
  const sqlite = new DatabaseSync(file, { defensive: false });
  sqlite.exec("pragma writable_schema = on");
  sqlite.exec("update sqlite_schema set sql = 'no table' where name = 'api_requests'");
  sqlite.exec("pragma schema_version = 1000");
  sqlite.close();
}
