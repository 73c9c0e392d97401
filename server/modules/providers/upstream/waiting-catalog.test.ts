import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startFakeReloadly } from "../../../testing/fake-reloadly.ts";
import { OWNER, startReloadlyShop } from "../../../testing/providers-under-test.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;
const BRANDS = ["TIGO", "CLARO_GT", "ESKOM"];

async function change(statement: (db: ReturnType<typeof writerOf>) => Promise<unknown>) {
  const db = writerOf(office.gateway.context.db);
  await statement(db);
  await db
    .updateTable("catalogs")
    .set((row) => ({ version: row("version", "+", 1) }))
    .execute();
}

const offers = async () =>
  (await shop.v1("GET", "/topups/offers?_limit=1024&_offset=0", undefined, "live")).body;
const waiting = async () => (await owner.pos("GET", "/upstream/catalog")).body.waiting;
const accept = (fetchedAt: string) =>
  owner.pos("POST", "/upstream/catalog/acceptance", { fetchedAt });

beforeAll(async () => {
  office = await startTestGateway();
  shop = await startTestGateway();
  owner = await openTill(shop, { currency: "GTQ", rate: "7.7" });
  // Fetching the whole sandbox catalog would take most of the time of these tests.
  await change(async (db) => {
    await db.deleteFrom("offers").where("brand", "not in", BRANDS).execute();
    await db.deleteFrom("promos").execute();
    await db.deleteFrom("brands").where("brand", "not in", BRANDS).execute();
  });
  const gateway = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
  const body = { ...gateway, approvesCatalog: true };
  expect((await owner.pos("PUT", "/upstream", body)).status).toBe(200);
  await shop.settle();
});
afterAll(async () => {
  await shop.close();
  await office.close();
});

describe("a waiting catalog", () => {
  it("sells nothing before an owner accepts it, and lists its contents", async () => {
    expect((await offers()).total).toBe(0);
    const { fetchedAt, difference } = await waiting();
    expect(difference).toMatchObject({ isFirst: true, leftOutCount: 0, costChanges: [] });
    expect(difference.offers.added).toBe(difference.offers.total);
    expect(difference.forCountry).toMatchObject({ country: "GT" });
    expect(difference.forCountry.offers).toBeGreaterThan(5);
    const taken = await accept(fetchedAt);
    expect([taken.status, taken.body.leftOutCount]).toEqual([200, 0]);
    expect((await offers()).total).toBeGreaterThan(5);
    expect(await waiting()).toBeUndefined();
    const state = (await owner.pos("GET", "/upstream")).body;
    expect(state).toMatchObject({ approvesCatalog: true, hook: "NONE", clockDifference_s: 0 });
    expect(state.sync.sections.topups.added).toBeGreaterThan(5);
  });

  it("lists cheaper, dearer, new and removed offers every hour, and is imported only after the owner has seen it", async () => {
    const before = await offers();
    const [first, second, gone] = before.list.filter(
      ({ priceType }: { priceType: string }) => priceType === "FIXED",
    );
    await change(async (db) => {
      for (const [offer, factor] of [
        [first, 2],
        [second, 0.5],
      ] as const) {
        const row = await db
          .selectFrom("offers")
          .select("offer_json")
          .where("offer_id", "=", offer.offerId)
          .executeTakeFirstOrThrow();
        const stated = JSON.parse(row.offer_json);
        stated.cost.fixed = Math.round(stated.cost.fixed * factor);
        const offer_json = JSON.stringify(stated);
        await db
          .updateTable("offers")
          .set({ offer_json })
          .where("offer_id", "=", offer.offerId)
          .execute();
      }
      await db.deleteFrom("offers").where("offer_id", "=", gone.offerId).execute();
    });
    await office.advance(HOUR + MINUTE);
    await shop.advance(HOUR + MINUTE);
    const { fetchedAt, difference } = await waiting();
    expect(difference.offers).toMatchObject({ added: 0, removed: 1, cheaper: 1, dearer: 1 });
    expect(difference.removed).toEqual([expect.objectContaining({ offerId: gone.offerId })]);
    expect(difference.costChanges[0]).toMatchObject({ offerId: first.offerId, percent: 100 });
    expect(difference.costChanges[1].percent).toBeCloseTo(-50, 0);
    expect((await offers()).total).toBe(before.total);
    const stale = await accept("2020-01-01T00:00:00.000Z");
    expect([stale.status, stale.body.errorCode]).toEqual([404, "NOT_FOUND"]);
    expect((await accept(fetchedAt)).status).toBe(200);
    expect((await offers()).total).toBe(before.total - 1);
    // A catalog without differences is imported at once.
    expect((await owner.pos("POST", "/upstream/catalog")).body).toEqual({});
  });

  it("disappears when the connection that fetched it ends", async () => {
    await change((db) =>
      db.deleteFrom("offers").where("offer_id", "=", "TIGO_GT_TOPUP_25").execute(),
    );
    const fetched = await owner.pos("POST", "/upstream/catalog");
    expect(fetched.status, JSON.stringify(fetched.body)).toBe(200);
    const { fetchedAt } = await waiting();
    await owner.pos("DELETE", "/upstream");
    expect(await waiting()).toBeUndefined();
    expect((await accept(fetchedAt)).status).toBe(404);
  });
});

describe("the first catalog of another company", () => {
  it("removes the families that it lacks, and nothing is sold before it is accepted", async () => {
    const typed = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", { ...typed, approvesCatalog: false })).status).toBe(
      200,
    );
    await shop.settle();
    const listVouchers = async (): Promise<{ offerId: string; enabled: boolean }[]> => {
      const path = "/vouchers/offers?_limit=1024&_offset=0";
      return (await shop.v1("GET", path, undefined, "live")).body.list;
    };
    const vouchers = await listVouchers();
    expect(vouchers.length).toBeGreaterThan(0);
    const fake = await startFakeReloadly(shop.clock);
    const { url: baseUrl, clientId, secret: key } = fake;
    const other = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", { ...other, approvesCatalog: true })).status).toBe(
      200,
    );
    await shop.settle();
    const { fetchedAt, difference } = await waiting();
    // The offers of the old company are all removed, also those of families without a new offer.
    expect(difference.offers).toMatchObject({ added: 4, total: 4 });
    const buy = async (family: string, offerId: string, more: object) => {
      const input = { offerId, transactionId: `of-${offerId}`, ...more };
      return (await shop.v1("POST", `/${family}/purchases`, input, "live")).body.errorCode;
    };
    const [voucher] = vouchers;
    const [topup] = (await offers()).list;
    const recipientPhoneNumber = "+50251234567";
    expect([
      await buy("vouchers", voucher?.offerId ?? "", { fields: [] }),
      await buy("topups", topup.offerId, { recipientPhoneNumber }),
    ]).toEqual(["OFFER_DISABLED", "OFFER_DISABLED"]);
    expect((await accept(fetchedAt)).status).toBe(200);
    expect([await listVouchers(), (await offers()).total]).toEqual([[], 4]);
    await owner.pos("DELETE", "/upstream");
    await fake.close();
  });
});

describe("the verdict on a gateway", () => {
  const judge = async (gateway: object) => {
    const { body } = await owner.pos("POST", "/upstream/verdict", { gateway });
    const outcomes = body.tests.map((one: { outcome: string }) => one.outcome);
    return { outcomes, usable: body.usable, body };
  };

  it("accepts a gateway in the shop's own network, with warnings about real money", async () => {
    const typed = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
    const { outcomes, usable } = await judge(typed);
    expect(outcomes).toEqual(["GOOD", "WARNS", "GOOD", "WARNS", "GOOD", "GOOD", "GOOD"]);
    expect(usable).toBe(true);
    // The test of the gateway stored nothing.
    expect((await owner.pos("GET", "/upstream")).body.connected).toBe(false);
  });

  it("reports that a gateway without offers is not usable", async () => {
    const server = createServer((request, response) => {
      const isBalance = request.url?.includes("balance") ?? false;
      const balance = { availableBalance: 50_000, currency: "USD", currencyDivisor: 100 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(isBalance ? balance : { list: [], total: 0 }));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}`;
    const { body } = await judge({ baseUrl, key: office.key("live"), allowPrivate: true });
    server.close();
    expect(body.tests).toContainEqual({ test: "HAS_OFFERS", outcome: "BAD" });
    expect(body.usable).toBe(false);
  });

  it("names a refused key, an unreachable address, and different clocks", async () => {
    const typed = { baseUrl: office.url, allowPrivate: true, key: `live_${"x".repeat(30)}` };
    expect((await judge(typed)).outcomes.slice(0, 3)).toEqual(["GOOD", "WARNS", "BAD"]);
    const nobody = await judge({ ...typed, baseUrl: "http://127.0.0.1:9" });
    expect(nobody.outcomes[0]).toBe("BAD");
    expect(nobody.body.message).not.toContain("xxxx");
    await office.advance(2 * HOUR);
    const apart = await judge({ ...typed, key: office.key("live") });
    expect(apart.outcomes.at(-2)).toBe("BAD");
    expect(apart.usable).toBe(false);
  });
});

describe("a catalog that lost half of its offers", () => {
  it("waits for an owner, and selling continues with the earlier offers", async () => {
    const { till, fake } = await startReloadlyShop();
    const [tigo] = fake.operators;
    fake.operators = Array.from({ length: 30 }, (_, index) => ({
      ...tigo,
      operatorId: 500 + index,
    }));
    const { upstream, upstreamSync } = till.gateway.context;
    await upstreamSync.sync(OWNER);
    const countOffers = async () =>
      (await till.v1("GET", "/topups/offers?_limit=1&_offset=0", undefined, "live")).body.total;
    expect(await countOffers()).toBe(90);
    fake.operators = fake.operators.slice(0, 10);
    await till.advance(HOUR);
    await till.settle();
    const { stored } = await upstream.getStatus(OWNER);
    expect(stored?.syncFailure?.message).toBe(
      "Its catalog has 30 offers instead of 90. Accept it on the provider's page.",
    );
    expect(await countOffers()).toBe(90);
    const { waiting } = await upstreamSync.findWaiting(OWNER);
    expect(waiting?.difference.offers.removed).toBe(60);
    await upstreamSync.accept(OWNER, Date.parse(waiting?.fetchedAt ?? ""));
    expect(await countOffers()).toBe(30);
    expect((await upstream.getStatus(OWNER)).stored?.syncFailure).toBeUndefined();
    await till.close();
    await fake.close();
  });
});
