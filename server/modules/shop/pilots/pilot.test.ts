import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { deviceOf } from "../../../lib/place.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openShift, setUpTill, type TestTill } from "../../../testing/test-till.ts";

const TOPUP = "TIGO_GT_TOPUP_25";
const DELIVERED = "+50251234567";
const FAILS = "+50251239002";
const TILL = "the-token-of-that-till";
let gateway: TestGateway;
let owner: TestTill;
let price: number;

const write = () => writerOf(gateway.gateway.context.db);

interface PilotStart {
  perSale?: number;
  /** Daily cap, as a number of single-line sales. */
  sales?: number;
  coversApi?: boolean;
  device?: string;
}

async function begin({
  perSale = price,
  sales = 100,
  coversApi = true,
  device = TILL,
}: PilotStart) {
  const pilot = {
    device: deviceOf(device),
    chosenBy: owner.staffId,
    mostPerSale: perSale,
    mostPerDay: price * sales,
    coversApi,
    startedAt: gateway.clock.now(),
  };
  const row = { account_id: "default", environment: "both", name: "pilot" } as const;
  await write().deleteFrom("settings").where("name", "=", "pilot").execute();
  await write()
    .insertInto("settings")
    .values({ ...row, value_json: JSON.stringify(pilot) })
    .execute();
}

async function sell(lines = 1, { device = TILL, number = DELIVERED } = {}) {
  const line = { offerId: TOPUP, recipientPhoneNumber: number };
  const body = await owner.prepareSale(Array.from({ length: lines }, () => line));
  const cookie = `${owner.cookie}; tillgate_device=${device}`;
  const sold = await gateway.call("POST", "/pos/sales", { headers: { cookie }, body });
  await gateway.settle();
  return sold;
}

const buy = (
  environment: "live" | "test" = "live",
  transactionId: string = randomUUID(),
  more: object = {},
) =>
  gateway.call("POST", "/v1/topups/purchases", {
    headers: { authorization: `Bearer ${gateway.key(environment)}` },
    body: { offerId: TOPUP, transactionId, recipientPhoneNumber: DELIVERED, ...more },
  });

const quote = () => buy("live", randomUUID(), { validateOnly: true });

const pilot = async () => (await owner.pos("GET", "/status")).body.pilot;

beforeAll(async () => {
  gateway = await startTestGateway({ providers: { live: createLiveSimulator(() => gateway) } });
  await giveLiveCatalog(gateway, [TOPUP]);
  const live = { accountId: "default", environment: "live", staffId: undefined } as const;
  await gateway.gateway.context.recharges.recharge(live, 100_000);
  owner = await setUpTill(gateway);
  await openShift(owner);
  price = (await owner.pos("POST", "/quotes", { offerId: TOPUP })).body.price;
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

describe("the live pilot", () => {
  it("does not limit sales in the test environment", async () => {
    await begin({ perSale: 1 });
    expect((await sell()).status).toBe(200);
    expect(await pilot()).toBeUndefined();
    await write().updateTable("shops").set({ till_environment: "live" }).execute();
    await openShift(owner);
  });

  it("allows a sale up to the cap, and refuses a larger sale without charging it", async () => {
    await begin({ perSale: price * 2 - 1 });
    const over = await sell(2);
    expect([over.status, over.body.errorCode, over.body.fields]).toEqual([
      409,
      "PILOT_LIMIT",
      {
        perSale: String(price * 2 - 1),
        perDay: String(price * 100),
        currency: "USD",
        currencyDivisor: "100",
      },
    ]);
    expect((await owner.pos("GET", "/sales?limit=10&offset=0")).body.total).toBe(0);
    expect((await sell()).status).toBe(200);
  });

  it("limits the amount per day, including purchases of programs and excluding failed sales", async () => {
    await gateway.advance(MINUTE);
    await begin({ sales: 2 });
    expect((await sell(1, { number: FAILS })).status).toBe(200);
    await gateway.advance(MINUTE);
    expect((await sell()).status).toBe(200);
    expect((await buy()).status).toBe(200);
    const atTill = await sell();
    expect([atTill.status, atTill.body.errorCode, atTill.body.fields]).toEqual([
      409,
      "PILOT_LIMIT",
      { perDay: "0", currency: "USD", currencyDivisor: "100" },
    ]);
    const refused = await buy();
    expect(refused.body.message).toContain("live pilot: 0 USD minor units are left today");
    expect([refused.status, refused.body.errorCode, refused.body.fields]).toEqual([
      400,
      "OFFER_DISABLED",
      { offerId: "exceeds a limit of the shop's live pilot" },
    ]);
    expect((await buy("test")).status).toBe(200);
  });

  it("reports a program's repeated purchase as a duplicate, even above the cap", async () => {
    await gateway.advance(MINUTE);
    await begin({ sales: 1 });
    const transactionId = randomUUID();
    expect((await buy("live", transactionId)).status).toBe(200);
    expect((await buy()).body.errorCode).toBe("OFFER_DISABLED");
    const repeated = await buy("live", transactionId);
    expect(repeated.body.errorCode).toBe("DUPLICATE_TRANSACTION_ID");
    expect(repeated.body.message).toMatch(/^The same purchase has the transaction id/);
  });

  it("refuses a program's quote above the cap like the purchase, and counts no quote", async () => {
    await gateway.advance(MINUTE);
    await begin({ sales: 1 });
    for (let quoted = 0; quoted < 2; quoted++) expect((await quote()).status).toBe(200);
    expect((await buy()).status).toBe(200);
    const refused = await quote();
    expect(refused.body.errorCode).toBe("OFFER_DISABLED");
    expect(refused.body).toEqual((await buy()).body);
  });

  it("applies the day's cap to simultaneous sales together", async () => {
    await gateway.advance(MINUTE);
    await begin({ sales: 2 });
    const sold = await Promise.all([sell(), sell(), sell(), sell()]);
    expect(sold.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(sold.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  it("does not limit programs that bought live before the pilot", async () => {
    await begin({ sales: 1, coversApi: false });
    for (let bought = 0; bought < 3; bought++) expect((await buy()).status).toBe(200);
  });

  it("refuses sales at other tills and names the pilot's till, until the owner moves the pilot", async () => {
    await begin({});
    const refused = await sell(1, { device: "another" });
    expect([refused.status, refused.body.errorCode, refused.body.fields]).toEqual([
      409,
      "PILOT_LIMIT",
      { till: "", chosenBy: "Olga" },
    ]);
    expect(refused.body.message).toContain("only the till of Olga sells. Sell there, or ask");
    expect(await pilot()).toMatchObject({ isHere: false, chosenBy: "Olga" });
    const cookie = `${owner.cookie}; tillgate_device=another`;
    const path = "/pos/till-environment/pilot/till";
    expect((await gateway.call("PUT", path, { headers: { cookie } })).status).toBe(200);
    expect((await sell(1, { device: "another" })).status).toBe(200);
    expect((await sell()).status).toBe(409);
  });

  it("ends after enough good sales, without counting failed sales", async () => {
    await gateway.advance(MINUTE);
    await begin({ sales: 1000 });
    await sell(1, { number: FAILS });
    for (let good = 0; good < 20; good++) {
      await gateway.advance(MINUTE);
      expect(await pilot()).toMatchObject({ goodSales: good });
      expect((await sell()).status).toBe(200);
    }
    await gateway.advance(MINUTE);
    expect(await pilot()).toBeUndefined();
    expect((await sell(2, { device: "another" })).status).toBe(200);
    const { list } = (await owner.pos("GET", "/audit-trail?limit=1&action=till.pilot")).body;
    expect(list[0].detail).toEqual({ pilot: "ended", goodSales: 20 });
  });

  it("can be ended only by the owner with the PIN", async () => {
    await begin({ perSale: 1 });
    const path = "/till-environment/pilot/end";
    expect((await owner.pos("POST", path, { pin: "999111" })).status).toBe(401);
    expect((await sell()).status).toBe(409);
    expect((await owner.pos("POST", path, { pin: OWNER_PIN })).status).toBe(200);
    expect(await pilot()).toBeUndefined();
    expect((await sell(2, { device: "another" })).status).toBe(200);
  });
});
