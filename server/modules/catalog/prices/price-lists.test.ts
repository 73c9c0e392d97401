import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PriceList } from "../../../contract/pos/prices.ts";
import { HOUR, toTimestamp } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const TIGO = "TIGO_GT_TOPUP_50";

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const hired = { name: "Ana", role: "clerk", pin: "258346" };
  const { staffId } = (await owner.pos("POST", "/staff", hired)).body;
  clerk = await owner.signIn(staffId, hired.pin);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

type Rule = PriceList["rules"][number];
const NO_TAX = { kind: "NONE", percent: "0" } as const;

function makeRule(of: Partial<Rule>): Rule {
  return {
    ruleId: "one",
    enabled: true,
    target: { family: "TOPUP" },
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent: "8",
    ...of,
  };
}

function makeList(rules: Rule[], of: Partial<PriceList> = {}): PriceList {
  return {
    rules,
    taxes: { TOPUP: NO_TAX, VOUCHER: NO_TAX, ESIM: NO_TAX, BILL_PAY: NO_TAX },
    fxBufferPercent: "0",
    driftAlertPercent: "2",
    ...of,
  };
}

const get = async () => (await owner.pos("GET", "/prices/test")).body;

async function save(rules: Rule[], of: { startsAt?: string; note?: string } = {}) {
  const base = (await get()).newest;
  return owner.pos("PUT", "/prices/test", { list: makeList(rules), base, ...of });
}

async function quotePrice(offerId = TIGO): Promise<number> {
  return (await owner.pos("POST", "/quotes", { offerId })).body.price;
}

describe("a saved price list", () => {
  it("becomes a version with author and time, and appears in the audit trail", async () => {
    const saved = await save([makeRule({})], { note: "Eight percent" });
    expect(saved.body).toMatchObject({ environment: "test", newest: 1, inForce: 1, planned: [] });
    expect(saved.body.list.floor).toEqual({ aboveCostPercent: "0" });
    const { body } = await owner.pos("GET", "/prices/test/versions?_limit=10&_offset=0");
    const version = { version: 1, staff: { name: "Olga" }, note: "Eight percent", rules: 1 };
    expect(body).toMatchObject({ total: 1, list: [version] });
    const trail = await owner.pos("GET", "/audit-trail?action=prices.save&limit=10");
    const [entry] = trail.body.list;
    expect(entry).toMatchObject({
      staff: { name: "Olga" },
      detail: { environment: "test", version: 1, rules: 1, note: "Eight percent" },
    });
    expect((await owner.pos("GET", "/prices/live")).body.newest).toBe(0);
  });

  it("stores for each rule the version of its last change", async () => {
    const other = makeRule({ ruleId: "two", target: { brand: "TIGO" } });
    await save([makeRule({}), other]);
    await save([makeRule({ percent: "9" }), other]);
    const { list } = await get();
    expect(list.rules.map(({ since }: { since: number }) => since)).toEqual([3, 2]);
    const first = await owner.pos("GET", "/prices/test/versions/1");
    expect(first.body.list.rules).toMatchObject([{ percent: "8", since: 1 }]);
    expect((await owner.pos("GET", "/prices/test/versions/99")).status).toBe(404);
  });

  it("can be undone, which saves the previous version as a new version", async () => {
    const before = await quotePrice();
    await save([makeRule({ percent: "40" })]);
    expect(await quotePrice()).toBeGreaterThan(before);
    const { newest: base } = await get();
    const undone = await owner.pos("POST", "/prices/test/undo", { base });
    expect(undone.body).toMatchObject({ newest: base + 1, inForce: base + 1 });
    expect(await quotePrice()).toBe(before);
    const first = await owner.pos("POST", "/prices/test/undo", { base: base + 1, to: 0 });
    expect(first.body.list.rules).toEqual([]);
  });

  it("cannot overwrite another person's saved list", async () => {
    const { newest } = await get();
    const input = { list: makeList([]), base: newest - 1 };
    const late = await owner.pos("PUT", "/prices/test", input);
    expect([late.status, late.body.errorCode]).toEqual([409, "PRICE_LIST_CHANGED"]);
    expect((await get()).newest).toBe(newest);
  });

  it("may start later, and is withdrawn by a list saved with an immediate start", async () => {
    const before = await quotePrice();
    const startsAt = toTimestamp(till.clock.now() + 2 * HOUR);
    const planned = await save([makeRule({ percent: "60" })], { startsAt });
    expect(planned.body.planned).toEqual([{ version: planned.body.newest, startsAt }]);
    expect([planned.body.until, await quotePrice()]).toEqual([startsAt, before]);
    await till.advance(2 * HOUR);
    expect(await quotePrice()).toBeGreaterThan(before);
    await save([makeRule({ percent: "70" })], { startsAt: toTimestamp(till.clock.now() + HOUR) });
    const now = await save([makeRule({})]);
    expect(now.body).toMatchObject({ planned: [], inForce: now.body.newest });
    const past = await save([], { startsAt: toTimestamp(till.clock.now() - 1) });
    expect(Object.keys(past.body.fields)).toEqual(["startsAt"]);
  });
});

describe("an invalid price list", () => {
  it("causes an error for both rules of a pair with equal precedence", async () => {
    const clash = await save([
      makeRule({ note: "Eight" }),
      makeRule({ ruleId: "apart", target: { brand: "TIGO" } }),
      makeRule({ ruleId: "two", note: "Nine", from: toTimestamp(till.clock.now()) }),
    ]);
    expect([clash.status, clash.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(Object.keys(clash.body.fields)).toEqual(["list.rules.0", "list.rules.2"]);
    expect(clash.body.fields["list.rules.0"]).toContain("two (Nine)");
    expect(clash.body.fields["list.rules.2"]).toContain("one (Eight)");
  });

  it("does not result from similar rules with separate dates, channels or classes", async () => {
    const at = toTimestamp(till.clock.now() + HOUR);
    const apart = [
      makeRule({ until: at }),
      makeRule({ ruleId: "two", from: at }),
      makeRule({ ruleId: "three", channel: "TILL" }),
      makeRule({ ruleId: "four", channel: "API" }),
      makeRule({ ruleId: "five", class: "PROMOTION" }),
      makeRule({ ruleId: "six", enabled: false }),
    ];
    expect((await save(apart)).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ["a MARKUP without percent", { percent: undefined }, "percent"],
    ["a MARGIN of everything", { how: "MARGIN", percent: "100" }, "percent"],
    ["a MARGIN on the suggested price", { how: "MARGIN", basis: "SUGGESTED" }, "basis"],
    ["a SET with a percentage", { how: "SET", amount: 100 }, "percent"],
    ["a SET under nothing", { how: "SET", percent: undefined, amount: -1 }, "amount"],
    ["less at most than at least", { minProfit: 5, maxProfit: 4 }, "maxProfit"],
    [
      "an end before its start",
      { from: "2026-02-01T00:00:00.000Z", until: "2026-01-01T00:00:00.000Z" },
      "until",
    ],
    [
      "an offset of a step",
      { rounding: { direction: "UP", bands: [{ step: 5, offset: 5 }] } },
      "rounding",
    ],
    [
      "bands with an end",
      { rounding: { direction: "UP", bands: [{ step: 5, offset: 0, below: 9 }] } },
      "rounding",
    ],
  ])("causes an error with the field's name: %s", async (_name, of, field) => {
    const refused = await save([{ ...makeRule({}), ...of }]);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([
      400,
      [`list.rules.0.${field}`],
    ]);
  });
});

describe("a price preview", () => {
  it("lists the changes without making them", async () => {
    await save([]);
    const { newest } = await get();
    const before = await quotePrice();
    const raised = makeRule({ target: { brand: "TIGO", country: "GT" }, percent: "100" });
    const cheap = makeRule({ ruleId: "set", target: { offerId: TIGO }, how: "SET", amount: 100 });
    const { percent: _percent, ...set } = cheap;
    const { body } = await owner.pos("POST", "/prices/test/preview", {
      list: makeList([raised, set]),
    });
    expect(body.offers).toBeGreaterThan(1_000);
    expect(body).toMatchObject({ currency: "GTQ", cheaper: 0, blocked: 1 });
    expect(body.changed).toBe(body.dearer);
    expect(body.blockedOffers).toMatchObject([
      { offerId: TIGO, old: before, blocked: "UNDER_FLOOR" },
    ]);
    expect(body.largest).toHaveLength(10);
    for (const { old, new: now, marginPercent } of body.largest) {
      expect([now > old, marginPercent >= 99]).toEqual([true, true]);
    }
    expect(body.marginPercent.new).toBeGreaterThan(body.marginPercent.old);
    expect([(await get()).newest, await quotePrice()]).toEqual([newest, before]);
  });

  it("proposes at least the break-even price for a blocked offer, even if its rule allows a loss", async () => {
    const { percent: _percent, ...set } = makeRule({
      target: { offerId: TIGO },
      how: "SET",
      amount: 1,
    });
    await save([set]);
    const [{ least }] = (await owner.pos("GET", "/prices/test/blocked")).body.list;
    const belowCost = {
      reason: "a try",
      until: "2026-12-31T00:00:00.000Z",
      maxLossPerSale: 100,
      budget: 500,
    };
    await save([{ ...set, belowCost }]);
    const { list } = (await owner.pos("GET", "/prices/test/blocked")).body;
    expect(list).toMatchObject([{ offerId: TIGO, least }]);
  });

  it("shows the effect of another exchange rate on the present list", {
    tags: ["thorough"],
  }, async () => {
    await save([makeRule({ target: {}, percent: "4" })]);
    const { list } = await get();
    const rules = list.rules.map(({ since: _since, ...rule }: { since: number }) => rule);
    const now = { list: { ...list, rules } };
    const same = (await owner.pos("POST", "/prices/test/preview", now)).body;
    expect([same.changed, same.blocked]).toEqual([0, 0]);
    const { body } = await owner.pos("POST", "/prices/test/preview", { ...now, rate: "9" });
    expect(body.dearer).toBeGreaterThan(1_000);
    expect(body.cheaper).toBe(0);
    expect((await owner.pos("GET", "/prices/test/rate")).body.rate).toBe("7.75");
  });

  it("reports an offer with a SET price below its floor as blocked, and does not sell it", async () => {
    const { percent: _percent, ...set } = makeRule({
      target: { offerId: TIGO },
      how: "SET",
      amount: 100,
    });
    await save([set]);
    const refused = await owner.pos("POST", "/quotes", { offerId: TIGO });
    expect(refused.body.errorCode).toBe("OFFER_DISABLED");
    const { body } = await owner.pos("POST", "/prices/test/reasons", { offerId: TIGO });
    expect(body).toMatchObject({ blocked: "UNDER_FLOOR", rule: { ruleId: "one" } });
    expect((await till.v1("GET", `/topups/offers/${TIGO}`)).body.enabled).toBe(false);
    expect((await owner.pos("GET", "/prices/test/blocked")).body.list).toHaveLength(1);
  });

  it("proposes the lowest allowed price of a blocked offer; with that price, the offer is sold", async () => {
    const { percent: _percent, ...set } = makeRule({
      target: { offerId: TIGO },
      how: "SET",
      amount: 100,
    });
    await save([set]);
    const { body } = await owner.pos("GET", "/prices/test/blocked");
    expect(body).toMatchObject({ total: 1, currency: "GTQ" });
    const [{ offerId, blocked, rule, least }] = body.list;
    expect([offerId, blocked, rule.ruleId]).toEqual([TIGO, "UNDER_FLOOR", "one"]);
    await save([{ ...set, amount: least - 1 }]);
    expect((await owner.pos("GET", "/prices/test/blocked")).body.list).toMatchObject([{ least }]);
    await save([{ ...set, amount: least }]);
    expect((await owner.pos("GET", "/prices/test/blocked")).body.list).toEqual([]);
    expect(await quotePrice()).toBe(least);
  });
});

describe("the explanation of a price", () => {
  it("lists the rule, the rate and each step, and ends with the sold price", async () => {
    const saved = await save([
      makeRule({ rounding: { direction: "UP", bands: [{ step: 100, offset: 50 }] } }),
    ]);
    const { body } = await owner.pos("POST", "/prices/test/reasons", { offerId: TIGO });
    expect(body).toMatchObject({
      version: saved.body.newest,
      price: await quotePrice(),
      rule: { ruleId: "one", since: saved.body.newest },
      rate: { rate: "7.75", source: "OWNER" },
    });
    const steps = new Map<string, string>(
      body.steps.map(({ step, amount }: { step: string; amount: string }) => [step, amount]),
    );
    const cost = body.cost.amount * 7.75;
    expect(Number(steps.get("COST"))).toBeCloseTo(cost, 6);
    expect(Number(steps.get("RULE"))).toBeCloseTo(cost * 1.08, 6);
    expect([...steps.keys()]).toEqual("COST BASIS RULE PROFIT TAX GRID FLOOR PRICE".split(" "));
    expect(steps.get("PRICE")).toBe(String(body.price));
  });

  it("covers the price of a typed amount, and requires the permission to see costs", async () => {
    const value = { type: "ZEND", value: 7_500 };
    const asked = { offerId: "TIGO_GT_TOPUP_RANGE", value };
    const { body } = await owner.pos("POST", "/prices/test/reasons", asked);
    const offer = (await till.v1("GET", "/topups/offers/TIGO_GT_TOPUP_RANGE")).body;
    expect(body.price).toBe(Math.ceil(7_500 / offer.price.fx) + offer.price.fee);
    const cost = body.cost.amount * 7.75;
    type Step = { step: string; amount: string };
    expect(body.steps.map(({ step }: Step) => step).join(" ")).toBe(
      "COST BASIS RULE TAX FLOOR PRICE",
    );
    const amounts = [cost, cost, cost * 1.08, cost * 1.08, cost, body.price];
    const near = amounts.map((amount) => expect.closeTo(amount, 6));
    expect(body.steps.map(({ amount }: Step) => Number(amount))).toEqual(near);
    const least = await owner.pos("POST", "/prices/test/reasons", { offerId: asked.offerId });
    expect(least.body.price).toBe(least.body.range.min + least.body.range.fee);
    expect(least.body).toMatchObject({ productType: "TOPUP", country: "GT" });
    expect((await clerk.pos("POST", "/prices/test/reasons", asked)).body.errorCode).toBe(
      "FORBIDDEN",
    );
    expect((await clerk.pos("GET", "/prices/test")).status).toBe(403);
  });
});

describe("the exchange rate page", () => {
  it("shows the date, the source, the drift, and the margins at the reference rate", async () => {
    await save([makeRule({ target: {}, percent: "4" })]);
    const { body } = await owner.pos("GET", "/prices/test/rate");
    const { rate } = body.reference;
    expect(body).toMatchObject({ currency: "GTQ", walletCurrency: "USD", rate: "7.75" });
    expect(body.driftPercent).toBeCloseTo((Number(rate) / 7.75 - 1) * 100, 1);
    expect(body.isAlert).toBe(Math.abs(body.driftPercent) > 2);
    await owner.pos("PUT", "/rate", { rate: String(Number(rate) * 0.95) });
    const moved = (await owner.pos("GET", "/prices/test/rate")).body;
    expect([moved.isAlert, moved.source]).toEqual([true, "OWNER"]);
    const [below] = moved.margins;
    expect(below.offers).toBe(0);
    // At a margin of 4 %, prices do not cover a cost that is 5 % higher.
    expect(below.atReference).toBeGreaterThan(1_000);
  });
});
