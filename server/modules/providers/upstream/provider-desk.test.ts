import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type FakeReloadly, startFakeReloadly } from "../../../testing/fake-reloadly.ts";
import { OWNER, startReloadlyShop } from "../../../testing/providers-under-test.ts";
import type { TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const OFFER = "RLD-88-5.00-USD";
const AT_SECOND = `${OFFER}:p2`;

let till: TestGateway;
let owner: TestTill;
let first: FakeReloadly;
let second: FakeReloadly;

beforeEach(async () => {
  ({ till, fake: first } = await startReloadlyShop());
  owner = await openTill(till);
  second = await startFakeReloadly(till.clock);
  await settle();
});
afterEach(async () => {
  await settle();
  await till.expectCleanBooks();
  await till.close();
  await Promise.all([first, second].map((fake) => fake.close()));
});

async function settle(): Promise<void> {
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.settle();
}

/** Connects a second provider as the screen does: its catalog waits for the owner. */
async function connectSecond(): Promise<void> {
  const { url: baseUrl, clientId, secret: key } = second;
  const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true };
  const input = { ...typed, newName: "South", approvesCatalog: true };
  expect((await owner.pos("PUT", "/upstream", input)).status).toBe(200);
  await settle();
}

async function addSecond(): Promise<void> {
  await connectSecond();
  const { waiting } = (await owner.pos("POST", "/upstream/catalog?providerId=p2")).body;
  const accepted = { fetchedAt: waiting.fetchedAt, providerId: "p2" };
  expect((await owner.pos("POST", "/upstream/catalog/acceptance", accepted)).status).toBe(200);
}

async function buy(transactionId: string, offerId: string, value?: number): Promise<void> {
  const body = {
    offerId,
    transactionId,
    recipientPhoneNumber: "+50251234567",
    ...(value !== undefined && { value: { type: "ZEND", value } }),
  };
  expect((await till.v1("POST", "/topups/purchases", body, "live")).status).toBe(200);
  await settle();
}

async function listProviders() {
  const { status, body } = await owner.pos("GET", "/providers");
  expect(status).toBe(200);
  return body;
}

async function makeCheaper(fake: FakeReloadly, providerId: string): Promise<void> {
  fake.operators = fake.operators.map((operator) => ({ ...operator, internationalDiscount: 10 }));
  await till.gateway.context.upstreamSync.sync({ ...OWNER, providerId });
}

describe("the list of providers", () => {
  it("shows a shop with one provider no order and no shared brand", async () => {
    const { list, orders, shared } = await listProviders();
    expect(list).toMatchObject([{ providerId: "first", state: "WORKING", products: 4 }]);
    expect(list[0].health).toEqual({ purchases: 0, delivered: 0, unknown: 0 });
    expect([orders, shared]).toEqual([[], []]);
  });

  it("shows the success, the time to outcome and the unknown outcomes of each provider", async () => {
    await addSecond();
    await buy("sale-1", OFFER);
    await buy("sale-2", OFFER);
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "INVALID_RECIPIENT_PHONE");
      return path === "/topups";
    };
    await buy("sale-3", AT_SECOND);
    second.interfere = ({ path, accept, request }) => {
      if (path !== "/topups" && path !== "/topups/reports/transactions") return false;
      if (path === "/topups") accept();
      request.socket.destroy();
      return true;
    };
    await buy("sale-4", AT_SECOND);
    expect((await listProviders()).list[1].health.unknown).toBe(0);
    await till.advance(2 * MINUTE);
    const [one, other] = (await listProviders()).list;
    expect(one.health).toMatchObject({ purchases: 2, delivered: 2, unknown: 0, p95_ms: 0 });
    expect(other).toMatchObject({
      name: "South",
      balance: 500_023,
      health: { purchases: 1, delivered: 0, unknown: 1 },
    });
  });

  it("shows the results of each brand at each provider, and since when one is paused there", async () => {
    await addSecond();
    await buy("sale-1", AT_SECOND);
    await buy("sale-2", "RLD-90-USD:p2", 500);
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT");
      return path === "/topups";
    };
    const pausedSince = new Date(till.clock.now()).toISOString();
    for (let n = 1; n <= 5; n++) await buy(`failing-${n}`, AT_SECOND);
    await till.advance(2 * MINUTE);
    const [one, other] = (await listProviders()).list;
    expect(one.brands).toEqual([]);
    const delivered = { purchases: 1, delivered: 1, p50_ms: 0, p95_ms: 0 };
    expect(other.brands).toEqual([
      { brand: "RLD-88", brandName: "Tigo Guatemala", ...delivered, unknown: 5, pausedSince },
      { brand: "RLD-90", brandName: "Claro Guatemala", ...delivered, unknown: 0 },
    ]);
  });

  it("estimates the days that a balance lasts by whole days of sales, also of a new provider", async () => {
    const daysLeft = async () => {
      owner = await owner.signIn(owner.staffId, OWNER_PIN);
      const { list } = await listProviders();
      return list.map(({ health }: { health: { daysLeft?: number } }) => health.daysLeft);
    };
    /** Ends the day, and lets the job close it, which runs every six hours. */
    const passDay = async () => {
      await till.advance(DAY);
      await buy(`sale-of-${till.clock.now()}`, OFFER);
      await till.advance(7 * HOUR);
      await till.settle();
    };
    await buy("sale-1", OFFER);
    await passDay();
    expect(await daysLeft()).toEqual([undefined]);
    await addSecond();
    await buy("sale-2", AT_SECOND);
    await passDay();
    // 5,000.23 at the provider, and 4.78 spent in a whole day.
    const isDaily = expect.closeTo(500_023 / 478, 0);
    expect(await daysLeft()).toEqual([isDaily, undefined]);
    await buy("sale-3", AT_SECOND);
    await passDay();
    expect(await daysLeft()).toEqual([isDaily, isDaily]);
  });

  it("names a provider that is paused, lacks money or is disconnected", async () => {
    await addSecond();
    const stateOf = async () => (await listProviders()).list[1].state;
    expect(await stateOf()).toBe("WORKING");
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "INSUFFICIENT_BALANCE");
      return path === "/topups";
    };
    await till.advance(SECOND);
    await buy("sale-1", AT_SECOND);
    expect(await stateOf()).toBe("TROUBLED");
    const paused = await owner.pos("PATCH", "/providers/p2", { paused: true });
    expect(paused.body.list[1].state).toBe("PAUSED");
    await owner.pos("DELETE", "/upstream?providerId=p2");
    expect(await stateOf()).toBe("DISCONNECTED");
  });
});

describe("a provider that another company replaces", () => {
  let third: FakeReloadly;

  async function replaceFirst(): Promise<void> {
    const { url: baseUrl, clientId, secret: key } = third;
    const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true };
    const input = { ...typed, providerId: "first", approvesCatalog: true };
    expect((await owner.pos("PUT", "/upstream", input)).status).toBe(200);
    await settle();
  }

  const stateOf = async () => (await listProviders()).list[0].state;

  async function tryToBuy(transactionId: string): Promise<string> {
    const recipientPhoneNumber = "+50251234567";
    const body = { offerId: OFFER, transactionId, recipientPhoneNumber };
    const answer = await till.v1("POST", "/topups/purchases", body, "live");
    await settle();
    return answer.body.errorCode ?? answer.body.status;
  }

  beforeEach(async () => {
    third = await startFakeReloadly(till.clock);
  });
  afterEach(() => third.close());

  it("sells no offer of the old company until its first catalog is accepted", async () => {
    third.operators = third.operators.map((operator) => ({
      ...operator,
      internationalDiscount: 9,
    }));
    await replaceFirst();
    expect([await stateOf(), await tryToBuy("sale-1")]).toEqual(["NO_CATALOG", "OFFER_DISABLED"]);
    const { waiting } = (await owner.pos("GET", "/upstream/catalog")).body;
    const accepted = { fetchedAt: waiting.fetchedAt, providerId: "first" };
    expect((await owner.pos("POST", "/upstream/catalog/acceptance", accepted)).status).toBe(200);
    expect([await stateOf(), await tryToBuy("sale-2")]).toEqual(["WORKING", "ACCEPTED"]);
    expect([[...first.books.keys()], [...third.books.keys()]]).toEqual([[], ["sale-2"]]);
  });

  it("sells no offer of the old company after an import of a file without offers", async () => {
    third.operators = third.operators.map((operator) => ({
      ...operator,
      internationalDiscount: 9,
    }));
    await replaceFirst();
    const { catalogUpdates } = till.gateway.context;
    const scope = { accountId: "default", environment: "live" } as const;
    const origin = { source: "brands.json", action: "catalog.import" } as const;
    const { brands, ...offers } = await catalogUpdates.read(scope, "first");
    const added = { ...brands[0], brand: "OTHER", brandName: "Other" };
    await catalogUpdates.replace(scope, { brands: [...brands, added] }, origin);
    expect(await stateOf()).toBe("NO_CATALOG");
    await catalogUpdates.replace(scope, { brands, ...offers }, origin);
    expect(await stateOf()).toBe("WORKING");
  });

  it("sells at once if its catalog equals that of the old company", async () => {
    await replaceFirst();
    expect([await stateOf(), await tryToBuy("sale-1")]).toEqual(["WORKING", "ACCEPTED"]);
  });
});

describe("a provider on its page", () => {
  it("sells nothing before the owner has accepted its catalog", async () => {
    await connectSecond();
    const fetched = (await owner.pos("POST", "/upstream/catalog?providerId=p2")).body.waiting;
    expect(fetched.difference).toMatchObject({ offers: { added: 4, removed: 0 } });
    const { list } = await listProviders();
    expect(list.map(({ products }: { products: number }) => products)).toEqual([4, 0]);
    expect((await owner.pos("GET", "/upstream/catalog?providerId=first")).body).toEqual({});
  });

  it("must be named by requests of a shop with several providers", async () => {
    await addSecond();
    const fetchedAt = new Date(till.clock.now()).toISOString();
    const key = "live_key-of-a-gateway";
    const asked = [
      await owner.pos("PUT", "/upstream", { baseUrl: second.url, key, allowPrivate: true }),
      await owner.pos("PATCH", "/upstream", { approvesCatalog: false }),
      await owner.pos("DELETE", "/upstream"),
      await owner.pos("POST", "/upstream/verdict", {}),
      await owner.pos("POST", "/upstream/test"),
      await owner.pos("POST", "/upstream/sync"),
      await owner.pos("POST", "/upstream/catalog"),
      await owner.pos("GET", "/upstream/catalog"),
      await owner.pos("POST", "/upstream/catalog/acceptance", { fetchedAt }),
      await owner.pos("POST", "/upstream/hook", {}),
      await owner.pos("PUT", "/upstream/hook/secret", { secret: "whsec_of-the-provider" }),
    ];
    for (const { status, body } of asked) {
      expect([status, body.fields]).toEqual([400, { providerId: "must name one of them" }]);
      expect(body.message).toMatch(/^This shop has several providers: first \(.+\), p2 \(South\)/);
    }
    expect((await owner.pos("POST", "/upstream/test?providerId=p2")).status).toBe(200);
  });

  it("can be renamed, paused and resumed, which the audit trail records", async () => {
    await addSecond();
    const change = (input: object) => owner.pos("PATCH", "/providers/p2", input);
    expect((await change({ name: "North" })).body.list[1].name).toBe("North");
    expect((await change({ paused: true })).body.list[1].state).toBe("PAUSED");
    expect((await change({ paused: false })).body.list[1].state).toBe("WORKING");
    expect((await owner.pos("PATCH", "/providers/p9", { paused: true })).body.errorCode).toBe(
      "NOT_FOUND",
    );
    const { body } = await owner.pos("GET", "/audit-trail?limit=50");
    const actions = body.list.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(["upstream.rename", "upstream.pause", "upstream.resume"]),
    );
  });
});

describe("the order of providers", () => {
  it("decides which provider sells a brand, and the costs name that provider", async () => {
    await addSecond();
    await makeCheaper(second, "p2");
    const costs = async () => {
      const { body } = await owner.pos("GET", "/providers/costs?brand=RLD-88");
      return body.list.find(({ offerId }: { offerId: string }) => offerId === OFFER);
    };
    const compared = [
      { providerId: "first", name: new URL(first.url).host, cost: 478 },
      { providerId: "p2", name: "South", cost: 450 },
    ];
    expect(await costs()).toMatchObject({ used: "p2", costs: compared, send: { amount: 500 } });
    const { body: one } = await owner.pos("GET", `/providers/costs?offerId=${OFFER}`);
    expect(one.list).toMatchObject([{ offerId: OFFER, used: "p2", costs: compared }]);
    const asked = { brand: "RLD-88", providers: ["first"] };
    const { body } = await owner.pos("PUT", "/providers/order", asked);
    expect(body.orders).toEqual([{ ...asked, brandName: "Tigo Guatemala" }]);
    expect(body.shared).toContainEqual({
      brand: "RLD-88",
      brandName: "Tigo Guatemala",
      families: ["TOPUP"],
      countries: ["GT"],
    });
    expect(await costs()).toMatchObject({ used: "first", costs: compared });
    await buy("sale-1", OFFER);
    await owner.pos("PUT", "/providers/order", { brand: "RLD-88", providers: [] });
    await buy("sale-2", OFFER);
    expect([[...first.books.keys()], [...second.books.keys()]]).toEqual([["sale-1"], ["sale-2"]]);
  });

  it("follows the brand before the country, and the country before the family", async () => {
    await addSecond();
    const used: string[] = [];
    const orders = [
      { providers: ["p2"] },
      { family: "TOPUP", providers: ["first"] },
      { country: "GT", providers: ["p2"] },
      { brand: "RLD-88", providers: ["first"] },
      { country: "HN", family: "TOPUP", providers: ["p2"] },
    ];
    for (const order of orders) {
      expect((await owner.pos("PUT", "/providers/order", order)).status).toBe(200);
      const { list } = (await owner.pos("GET", `/providers/costs?offerId=${OFFER}`)).body;
      used.push(list[0].used);
    }
    expect(used).toEqual(["p2", "first", "p2", "first", "first"]);
  });

  it("refuses an unknown brand or provider", async () => {
    const order = (input: object) => owner.pos("PUT", "/providers/order", input);
    const codes = [
      await order({ brand: "NOBODY", providers: [] }),
      await order({ providers: ["p9"] }),
    ];
    expect(codes.map(({ body }) => body.errorCode)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });
});

describe("the product of two providers, also under the id of each offer", () => {
  beforeEach(addSecond);

  /** Joins a brand of the second provider, whose offers have ids of their own. */
  async function joinOther(): Promise<string> {
    const [tigo, ...others] = second.operators;
    second.operators = [{ ...tigo, operatorId: 188 }, ...others];
    await till.gateway.context.upstreamSync.sync({ ...OWNER, providerId: "p2" });
    await till.gateway.context.providerOrders.join(OWNER, "RLD-188", "RLD-88");
    return "RLD-188-5.00-USD:p2";
  }

  const find = async (offerId: string) =>
    (await till.v1("GET", `/topups/offers/${offerId}`, undefined, "live")).body;

  it("disappears after a switch that names only one of its ids", async () => {
    const other = await joinOther();
    const hide = (offerId: string, enabled: boolean) =>
      owner.pos("POST", "/catalog/live/switches", { target: { offerId }, enabled });
    for (const offerId of [OFFER, other]) {
      expect((await hide(offerId, false)).status).toBe(200);
      expect([(await find(OFFER)).enabled, (await find(other)).enabled]).toEqual([false, false]);
      expect((await hide(OFFER, true)).status).toBe(200);
      expect([(await find(OFFER)).enabled, (await find(other)).enabled]).toEqual([true, true]);
    }
  });

  it("gets its price from a rule that names only one of its ids", async () => {
    const other = await joinOther();
    for (const [offerId, amount] of [
      [OFFER, 900],
      [other, 950],
    ] as const) {
      const { list, newest: base } = (await owner.pos("GET", "/prices/live")).body;
      const rule = {
        ruleId: randomUUID(),
        enabled: true,
        target: { offerId },
        class: "STANDARD",
        channel: "ANY",
        basis: "COST",
        how: "SET",
        amount,
      };
      const saved = await owner.pos("PUT", "/prices/live", {
        list: { ...list, rules: [rule] },
        base,
      });
      expect(saved.status, JSON.stringify(saved.body)).toBe(200);
      const prices = [await find(OFFER), await find(other)].map(({ price }) => price.fixed);
      expect(prices).toEqual([amount, amount]);
    }
  });
});

describe("the product of two joined brands", () => {
  const AT_OTHER = "RLD-188-5.00-USD:p2";

  beforeEach(async () => {
    await addSecond();
    const [tigo, ...others] = second.operators;
    second.operators = [{ ...tigo, operatorId: 188 }, ...others];
    await till.gateway.context.upstreamSync.sync({ ...OWNER, providerId: "p2" });
  });

  const find = async (offerId: string) =>
    (await till.v1("GET", `/topups/offers/${offerId}`, undefined, "live")).body;

  it("sells under one brand, and obeys its switch and price rule under the id of each offer", async () => {
    await till.gateway.context.providerOrders.join(OWNER, "RLD-188", "RLD-88");
    expect(await find(AT_OTHER)).toMatchObject({ brand: "RLD-88", brandName: "Tigo Guatemala" });
    const { list, newest: base } = (await owner.pos("GET", "/prices/live")).body;
    const rule = { ruleId: randomUUID(), enabled: true, class: "STANDARD", channel: "ANY" };
    const how = { basis: "COST", how: "SET", amount: 900, target: { brand: "RLD-88" } };
    const rules = [{ ...rule, ...how }];
    const saved = await owner.pos("PUT", "/prices/live", { list: { ...list, rules }, base });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const prices = [await find(OFFER), await find(AT_OTHER)].map(({ price }) => price.fixed);
    expect(prices).toEqual([900, 900]);
    const hide = { target: { brand: "RLD-88" }, enabled: false };
    expect((await owner.pos("POST", "/catalog/live/switches", hide)).status).toBe(200);
    const enabled = [await find(OFFER), await find(AT_OTHER)].map((offer) => offer.enabled);
    expect(enabled).toEqual([false, false]);
  });

  it("follows the order of the brand under which it is sold", async () => {
    await till.gateway.context.providerOrders.join(OWNER, "RLD-88", "RLD-188");
    const order = { brand: "RLD-188", providers: ["p2"] };
    expect((await owner.pos("PUT", "/providers/order", order)).status).toBe(200);
    await buy("sale-1", OFFER);
    expect([[...first.books.keys()], [...second.books.keys()]]).toEqual([[], ["sale-1"]]);
  });
});

describe("the rows of the figures", () => {
  it("name the provider of each purchase, also in the CSV file", async () => {
    await addSecond();
    await till.gateway.context.upstream.rename({ ...OWNER, providerId: "first" }, "North");
    await buy("sale-1", OFFER);
    await buy("sale-2", AT_SECOND);
    await sql`update shops set till_environment = 'live'`.execute(
      writerOf(till.gateway.context.db),
    );
    const span = "firstDay=2026-01-01&lastDay=2026-02-28";
    const { body } = await owner.pos("GET", `/figures/lines?${span}&limit=50`);
    const named = body.list.map((line: Record<string, string>) => [
      line.transactionId,
      line.provider,
    ]);
    expect(named.toSorted()).toEqual([
      ["sale-1", "North"],
      ["sale-2", "South"],
    ]);
    const csv = (await owner.pos("GET", `/figures/lines.csv?${span}`)).body as string;
    const [head = "", ...rows] = csv.trim().split("\r\n");
    expect(head).toMatch(/,"channel","key","provider"$/);
    expect(new Set(rows.map((row) => row.split(",").at(-1)))).toEqual(
      new Set(['"North"', '"South"']),
    );
  });
});
