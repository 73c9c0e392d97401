import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { countedSimulator } from "../../../testing/counted-simulator.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

const PURCHASES = {
  topups: {
    offerId: "DU_AE_TOPUP_RANGE",
    recipientPhoneNumber: "+971501234567",
    sender: { country: "US" },
    value: { type: "PRICE", value: 550 },
  },
  vouchers: {
    offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
    value: { type: "ZEND", value: 10_000 },
    fields: [
      { key: "meter.number", value: "01234567890" },
      { key: "recipient.msisdn", value: "+27821234567" },
    ],
  },
  esim: { offerId: "AIRALO_ES_1GB_7D" },
  billpay: {
    offerId: "AYSA_AR_BILL_WATER",
    value: { type: "ZEND", value: 6_066_500 },
    fields: [
      { key: "accountNumber", value: "30001234567" },
      { key: "billIdentifier", value: "202601" },
    ],
  },
} as const;
type Path = keyof typeof PURCHASES;
const PATHS = Object.keys(PURCHASES) as Path[];
const SCOPE = { accountId: "default", environment: "test" } as const;

/** Fields of a record that a purchase receives when it is stored, or later. */
const OUTCOME = ["status", "createdAt", "updatedAt", "log", "confirmation", "receipt"];

let shop: TestGateway;
let submitted: string[];
beforeEach(async () => {
  const counted = countedSimulator(() => shop);
  ({ submitted } = counted);
  shop = await startTestGateway({ providers: { test: counted.provider } });
  await shop.gateway.context.recharges.setTestWallet(SCOPE, 1_000_000);
});
afterEach(async () => {
  await shop.expectCleanBooks();
  await shop.close();
});

function send(path: Path, changes: object = {}) {
  const body = { ...PURCHASES[path], transactionId: "order-1", ...changes };
  return shop.v1("POST", `/${path}/purchases`, body);
}

/** Returns the answer to a quote, after which the database has the same rows as before. */
async function quote(path: Path, changes: object = {}) {
  const { db } = shop.gateway.context;
  await shop.settle();
  const before = await digestDatabase(db);
  const answer = await send(path, { ...changes, validateOnly: true });
  await shop.settle();
  expect(await digestDatabase(db)).toEqual(before);
  return answer;
}

describe.each(PATHS)("a quote of %s", (path) => {
  it("equals the record of the purchase without its outcome, and stores nothing", async () => {
    const quoted = await quote(path);
    expect(quoted.status, JSON.stringify(quoted.body)).toBe(200);
    expect(submitted).toEqual([]);
    const address = `/${path}/purchases/order-1`;
    expect((await shop.v1("GET", address)).status).toBe(404);

    expect((await send(path)).body).toEqual({ status: "ACCEPTED", transactionId: "order-1" });
    await shop.advance(2 * SECOND);
    const { body: record } = await shop.v1("GET", address);
    expect(record.status).toBe("DONE");
    const known = Object.entries(record).filter(([name]) => !OUTCOME.includes(name));
    expect(Object.entries(quoted.body)).toEqual(known);
  });

  it("fails with the same errors as the purchase", async () => {
    const refusals = [
      { offerId: "NONE" },
      { offerId: undefined },
      { transactionId: "with space" },
      { recipientPhoneNumber: "1" },
      { fields: [] },
      { value: path === "esim" ? { type: "PRICE", value: 1 } : undefined },
      { value: { type: "PRICE", value: 1 } },
    ];
    for (const changes of refusals) {
      const quoted = await quote(path, changes);
      const bought = await send(path, changes);
      expect([quoted.status, quoted.body]).toEqual([bought.status, bought.body]);
      expect(quoted.status).toBe(400);
    }
  });

  it("fails like the purchase if its id is in use", async () => {
    await send(path);
    await shop.advance(2 * SECOND);
    for (const changes of [{}, { offerId: "NONE" }]) {
      const quoted = await quote(path, changes);
      expect(quoted.body.errorCode).toBe("DUPLICATE_TRANSACTION_ID");
      expect(quoted.body).toEqual((await send(path, changes)).body);
    }
  });

  it("fails with the purchase's error if the wallet does not cover the cost", async () => {
    const { cost } = (await quote(path)).body;
    const { recharges } = shop.gateway.context;
    await recharges.setTestWallet(SCOPE, cost - 1);
    const refused = await quote(path);
    expect([refused.status, refused.body.errorCode]).toEqual([400, "INSUFFICIENT_FUNDS"]);
    expect((await send(path)).status).toBe(200);
    await shop.advance(SECOND);
    const { error } = (await shop.v1("GET", `/${path}/purchases/order-1`)).body;
    expect(refused.body).toEqual({ errorCode: error.code, message: error.message, fields: {} });
    await recharges.setTestWallet(SCOPE, cost);
    expect((await quote(path, { transactionId: "order-2" })).status).toBe(200);
  });

  it("becomes an ordinary purchase if validateOnly is false", async () => {
    expect((await send(path, { validateOnly: false })).body.status).toBe("ACCEPTED");
    const repeated = await send(path);
    expect(repeated.body.message).toMatch(/^The same purchase has the transaction id order-1/);
  });
});

describe("a quote", () => {
  it("fails in live without a provider", async () => {
    const { offerId } = PURCHASES.esim;
    await giveLiveCatalog(shop, [offerId]);
    const body = { offerId, transactionId: "live-1", validateOnly: true };
    const refused = await shop.v1("POST", "/esim/purchases", body, "live");
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        errorCode: "PROVIDER_NOT_CONFIGURED",
        message: "No provider is connected to the live environment. Nothing was charged.",
        fields: {},
      },
    ]);
  });

  it("needs a key with the scope sell", async () => {
    const { keys } = shop.gateway.context;
    for (const [scopes, status] of [
      [["sell"], 200],
      [["read", "reports"], 403],
    ] as const) {
      const { key } = await keys.create(SCOPE, "scoped", { scopes });
      const body = { ...PURCHASES.topups, transactionId: "order-1", validateOnly: true };
      const headers = { authorization: `Bearer ${key}` };
      const answer = await shop.call("POST", "/v1/topups/purchases", { headers, body });
      expect([scopes, answer.status]).toEqual([scopes, status]);
    }
  });

  it("appears in the request log, also if it is refused, with the numbers shortened", async () => {
    await send("topups", { validateOnly: true });
    await send("topups", { validateOnly: true, value: { type: "PRICE", value: 1 } });
    const { requestLog, accountId } = shop.gateway.context;
    const { list } = await requestLog.list(accountId, { environment: "test", limit: 50 });
    expect(list).toMatchObject([
      { path: "/v1/topups/purchases", status: 400, transactionId: "order-1" },
      { path: "/v1/topups/purchases", status: 200, transactionId: "order-1" },
    ]);
    for (const { requestNo } of list) {
      const { request, response } = await requestLog.get(accountId, requestNo);
      expect(JSON.parse(request.text ?? "")).toMatchObject({ validateOnly: true });
      expect(`${request.text}${response.text}`).not.toContain("501234567");
    }
  });

  it("needs a boolean as validateOnly", async () => {
    const refused = await send("topups", { validateOnly: "true" });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["validateOnly"]]);
  });
});
