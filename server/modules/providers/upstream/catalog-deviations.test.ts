import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writerOf } from "../../../testing/direct-writes.ts";
import {
  readSampleOffers,
  type Stated,
  type StatingProvider,
  startStatingProvider,
} from "../../../testing/stated-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const KEY = "live_a-key-of-the-provider-0123456789";

let shop: TestGateway;
let owner: TestTill;
let provider: StatingProvider;
let samples: Awaited<ReturnType<typeof readSampleOffers>>;

beforeEach(async () => {
  shop = await startTestGateway();
  owner = await openTill(shop);
  provider = await startStatingProvider();
  samples = await readSampleOffers();
  provider.brands = samples.brands;
});
afterEach(async () => {
  await shop.close();
  await provider.close();
});

const connect = () =>
  owner.pos("PUT", "/upstream", { baseUrl: provider.url, key: KEY, allowPrivate: true });
const sync = async () => (await owner.pos("POST", "/upstream/sync")).body;
const getOffer = async (path: string, offerId: string) =>
  (await shop.v1("GET", `/${path}/offers/${encodeURIComponent(offerId)}`, undefined, "live")).body;

async function listOffers(path: string): Promise<Stated[]> {
  const offers: Stated[] = [];
  for (let total = 1; offers.length < total; ) {
    const query = `_limit=1024&_offset=${offers.length}`;
    const page = (await shop.v1("GET", `/${path}/offers?${query}`, undefined, "live")).body;
    total = page.total;
    if (page.list.length === 0) break;
    offers.push(...page.list);
  }
  return offers;
}

/**
 * Fields that selling requires. An offer is refused if such a field is missing or has another type.
 */
const NEEDED = new Set([
  "offerId",
  "brand",
  "country",
  "cost",
  "send",
  "requiredFields",
  "billRetrievalRequiredFields",
  ...["currency", "currencyDivisor", "fixed", "fx", "min", "max"].flatMap((field) => [
    `cost.${field}`,
    `send.${field}`,
  ]),
  "cost.fee",
  "cost.feePct",
  "price.fixed",
  "price.fx",
  "price.min",
  "price.max",
  "price.currencyDivisor",
]);

function deviateValue(value: Stated): Stated[] {
  const others: Stated[] = [undefined, null, 0, "", [], true, "0001-01-01T00:00:00Z"];
  if (typeof value === "string") others.push(value.toLowerCase(), value.toUpperCase(), 7);
  else if (typeof value === "number") others.push(String(value));
  else others.push({}, "text");
  return others.filter((other) => JSON.stringify(other) !== JSON.stringify(value));
}

function deviate(offer: Stated): { path: string; offer: Stated }[] {
  const fields = Object.entries(offer).flatMap(([name, value]) => [
    [name],
    ...(typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => [name, inner])
      : []),
  ]);
  let count = 0;
  return fields.flatMap(([name = "", inner]) =>
    deviateValue(inner === undefined ? offer[name] : offer[name][inner]).map((value) => {
      const copy = structuredClone(offer);
      copy.offerId = `${offer.offerId}_${count++}`;
      if (inner === undefined) copy[name] = value;
      else copy[name][inner] = value;
      return { path: inner === undefined ? name : `${name}.${inner}`, offer: copy };
    }),
  );
}

describe("a catalog with deviations", () => {
  it("loses no offer because of a field that selling does not require, and reports each lost offer", {
    tags: ["thorough"],
  }, async () => {
    const stated = new Map<string, { path: string; family: string }>();
    for (const [family, offers] of Object.entries(samples.offers)) {
      const deviating = offers.flatMap(deviate);
      provider.offers[family] = deviating.map(({ offer }) => offer);
      for (const { path, offer } of deviating) {
        if (typeof offer.offerId === "string") stated.set(offer.offerId, { path, family });
      }
    }
    expect(stated.size).toBeGreaterThan(1000);
    expect((await connect()).status).toBe(200);
    const report = await sync();
    const kept = new Map<string, Stated>();
    for (const family of Object.keys(samples.offers)) {
      for (const offer of await listOffers(family)) kept.set(offer.offerId, offer);
    }
    const lost = [...stated].filter(([offerId]) => !kept.has(offerId));
    const needless = lost.filter(
      ([, { path, family }]) => !NEEDED.has(path) || (path === "country" && family === "esim"),
    );
    expect(needless.map(([offerId, { path }]) => `${offerId} ${path}`)).toEqual([]);
    for (const { offerId, cost, price, send } of kept.values()) {
      for (const block of [cost, price, ...(send ? [send] : [])]) {
        const amounts = [block.fixed, block.fx, block.min, block.max];
        expect(
          amounts.filter((amount) => amount === 0),
          offerId,
        ).toEqual([]);
        expect(block.fixed ?? block.max, offerId).toBeGreaterThan(0);
      }
    }
    const total = Object.values(provider.offers).flat().length;
    const repeated: { what: string; count: number }[] = report.deviations.filter(
      ({ what }: { what: string }) => what.endsWith("is stated more than once"),
    );
    const dropped = repeated.reduce((sum, { count }) => sum + count, 0);
    expect(report.leftOutCount + dropped).toBe(total - kept.size);
    const reasons: { count: number }[] = report.leftOutReasons;
    expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(report.leftOutCount);
    expect(report.deviations.length).toBeGreaterThan(50);
    // Compares without `sections`, because the connection's own sync may run later and find nothing
    // to add.
    const { sections: _, ...shown } = report;
    expect((await owner.pos("GET", "/upstream")).body.sync).toMatchObject(shown);
  });

  it("never sells an offer with an amount of zero", async () => {
    const [fixed] = samples.offers.topups ?? [];
    const zero = (part: string, field: string) => {
      const offer = structuredClone(fixed);
      offer.offerId = `ZERO_${part}_${field}`;
      offer[part][field] = 0;
      if (part === "price") offer.price.suggestedFixed = 0;
      return offer;
    };
    const zeros = ["cost", "price", "send"].map((part) => zero(part, "fixed"));
    provider.offers.topups = [fixed, ...zeros];
    await connect();
    const report = await sync();
    expect((await listOffers("topups")).map(({ offerId }) => offerId)).toEqual([fixed.offerId]);
    expect(
      report.leftOutReasons.map(({ reason }: { reason: string }) => reason).toSorted(),
    ).toEqual(["cost", "price", "send"].map((part) => `topups: ${part}.fixed must be more than 0`));
    // Simulates an offer that was stored by an earlier version, which accepted zeros.
    const { db } = shop.gateway.context;
    const offer = await getOffer("topups", fixed.offerId);
    const offer_json = JSON.stringify({ ...offer, cost: { ...offer.cost, fixed: 0 } });
    await writerOf(db)
      .updateTable("offers")
      .set({ offer_json })
      .where("environment", "=", "live")
      .execute();
    await writerOf(db)
      .updateTable("catalogs")
      .set((row) => ({ version: row("version", "+", 1) }))
      .where("environment", "=", "live")
      .execute();
    const body = {
      offerId: fixed.offerId,
      transactionId: "zero",
      recipientPhoneNumber: "+50251234567",
    };
    const answer = await shop.v1("POST", "/topups/purchases", body, "live");
    expect([answer.status, answer.body.errorCode]).toEqual([400, "OFFER_DISABLED"]);
  });

  it("a catalog with deviations is imported without a family that returns 404 and a page that returns 503", async () => {
    const [fixed] = samples.offers.topups ?? [];
    const many = Array.from({ length: 1500 }, (_, n) => ({ ...fixed, offerId: `TOPUP_${n}` }));
    provider.offers = { ...samples.offers, topups: many };
    await connect();
    await sync();
    const before = await listOffers("vouchers");
    expect([(await listOffers("topups")).length, before.length > 0]).toEqual([1500, true]);

    const changed = many.map((offer) => ({ ...offer, notes: "Changed" }));
    provider.offers = { ...samples.offers, topups: changed, vouchers: undefined };
    provider.failing.set("/topups/offers?_limit=1024&_offset=0", 503);
    const report = await sync();
    expect(report.unread).toEqual([
      { part: "topups", reason: "It answers with status 503." },
      { part: "vouchers", reason: "There is no such thing." },
    ]);
    expect(await listOffers("vouchers")).toEqual(before);
    const topups = await listOffers("topups");
    expect(topups.length).toBe(1500);
    expect(topups.filter(({ notes }) => notes === "Changed").length).toBe(1500 - 1024);
    const state = (await owner.pos("GET", "/upstream")).body;
    expect(state.sync.unread).toEqual(report.unread);
  });

  it("keeps the provider's divisor for delivered amounts, and purchases use it", async () => {
    const [, range] = samples.offers.topups ?? [];
    const send = { currency: "COP", currencyDivisor: 1, fx: 1, min: 2_000, max: 200_000 };
    const cost = { ...range.cost, fx: 4_000, min: 50, max: 5_000 };
    const price = { ...range.price, fx: 3_800, min: 53, max: 5_264, increment: 1 };
    const offer = { ...range, offerId: "CLARO_CO_ANY", country: "CO", cost, price, send };
    provider.offers.topups = [offer];
    await connect();
    expect((await sync()).leftOutCount).toBe(0);
    expect((await getOffer("topups", "CLARO_CO_ANY")).send).toEqual(send);
    await owner.pos("POST", "/wallet/recharges", {
      rechargeId: randomUUID(),
      environment: "live",
      amount: 50_000,
    });
    const body = {
      offerId: "CLARO_CO_ANY",
      transactionId: "cop",
      recipientPhoneNumber: "+573001234567",
      value: { type: "ZEND", value: 20_000 },
    };
    expect((await shop.v1("POST", "/topups/purchases", body, "live")).status).toBe(200);
    await shop.settle();
    expect(provider.purchases).toMatchObject([{ value: { type: "ZEND", value: 20_000 } }]);
    const bought = (await shop.v1("GET", "/topups/purchases/cop", undefined, "live")).body;
    expect(bought).toMatchObject({ send: 20_000, sendCurrencyDivisor: 1, cost: 500 });
  });
});

describe("a provider's balance", () => {
  it.each<[string, Stated, number]>([
    ["decimals", { availableBalance: 1234.56, currency: "USD" }, 123_456],
    ["decimals in a text", { availableBalance: "1234.56", currency: "usd" }, 123_456],
    ["a divisor of 1", { availableBalance: 1234, currency: "USD", currencyDivisor: 1 }, 123_400],
    [
      "a divisor of 1000",
      { availableBalance: 12_345, currency: "USD", currencyDivisor: 1000 },
      1234,
    ],
    ["no divisor", { availableBalance: 123_456, currency: "USD" }, 123_456],
    ["no currency", { availableBalance: 123_456, currencyDivisor: 100 }, 123_456],
  ])("a provider's balance is read with %s", async (_name, balance, available) => {
    provider.balance = balance;
    const connected = await connect();
    expect([connected.status, connected.body.upstream]).toEqual([200, available]);
  });

  it.each([
    [{ currency: "USD", currencyDivisor: 100 }],
    [{ availableBalance: null, currency: "USD", currencyDivisor: 100 }],
    [{ availableBalance: [], currency: "USD", currencyDivisor: 100 }],
    [{ availableBalance: 100, currency: 7, currencyDivisor: 100 }],
    [{ availableBalance: 100, currency: "USD", currencyDivisor: 7 }],
  ])(
    "a provider's balance of %j withholds no offer, and the owner sees the deviation",
    async (balance) => {
      provider.offers = samples.offers;
      await connect();
      provider.balance = balance;
      const report = await sync();
      expect(report.leftOutCount).toBe(0);
      expect((await listOffers("topups")).length).toBeGreaterThan(0);
      expect(report.deviations).toContainEqual(
        expect.objectContaining({ what: expect.stringMatching(/^balance: /) }),
      );
    },
  );
});
