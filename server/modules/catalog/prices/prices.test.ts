import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PriceListInput } from "../../../contract/pos/price-lists.ts";
import type { PriceList } from "../../../contract/pos/prices.ts";
import { HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { priceOffer } from "../catalog/index.ts";

/** Sells in quetzales; the wallet is in dollars. */
let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const SCOPE = { accountId: "default", environment: "test" } as const;
const TIGO = "TIGO_GT_TOPUP_50";
const RANGE = "TIGO_GT_TOPUP_RANGE";
const TO = { recipientPhoneNumber: "+50251234567" };

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

const NO_TAX = { kind: "NONE", percent: "0" } as const;
const PLAIN: PriceList = {
  rules: [],
  taxes: { TOPUP: NO_TAX, VOUCHER: NO_TAX, ESIM: NO_TAX, BILL_PAY: NO_TAX },
  fxBufferPercent: "0",
  driftAlertPercent: "2",
};
type Rule = PriceList["rules"][number];

function markup(percent: string, of: Partial<Rule> = {}): Rule {
  return {
    ruleId: "markup",
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent,
    ...of,
  };
}

async function newest(): Promise<number> {
  return (await owner.pos("GET", "/prices/test")).body.newest;
}

async function save(rules: Rule[], of: Partial<PriceList> & Partial<PriceListInput> = {}) {
  const { startsAt, note, ...settings } = of;
  const list = { ...PLAIN, ...settings, rules };
  const base = await newest();
  const input = { list, base, ...(startsAt && { startsAt }), ...(note && { note }) };
  return owner.pos("PUT", "/prices/test", input);
}

async function prices(offerId = TIGO) {
  const tiles = await owner.pos("GET", "/offers?country=GT&productType=TOPUP");
  const tile = tiles.body.list.find((one: { offerId: string }) => one.offerId === offerId);
  const quote = await owner.pos("POST", "/quotes", { offerId });
  const offer = await till.v1("GET", `/topups/offers/${offerId}`);
  const { fixed, fee } = offer.body.price;
  return { tile: tile?.price.fixed, quote: quote.body.price, v1: fixed + fee };
}

describe("a shop without a price list", () => {
  it("sells every sandbox offer at the suggested price times the exchange rate", async () => {
    const { catalog, prices: reader, db } = till.gateway.context;
    const { offers, pricing } = await catalog.getStated(SCOPE);
    const snapshot = await catalog.getSnapshot(SCOPE);
    expect(offers.length).toBeGreaterThan(1_000);
    for (const offer of offers) {
      const suggested = priceOffer(offer, pricing.terms);
      if (JSON.stringify(snapshot.get(offer.offerId)) !== JSON.stringify(suggested)) {
        expect(snapshot.get(offer.offerId)).toEqual(suggested);
      }
    }
    expect((await reader.read(db, SCOPE, till.clock.now())).version).toBe(0);
  });

  it("keeps the suggested prices after saving a list without rules, as no sandbox offer is below cost", async () => {
    const before = await till.gateway.context.catalog.getSnapshot(SCOPE);
    const saved = await save([]);
    expect([saved.status, saved.body.newest, saved.body.inForce]).toEqual([200, 1, 1]);
    const after = await till.gateway.context.catalog.getSnapshot(SCOPE);
    const changed = after.offers.filter(
      (offer) => JSON.stringify(offer.price) !== JSON.stringify(before.get(offer.offerId)?.price),
    );
    expect(changed.map(({ offerId }) => offerId)).toEqual([]);
  });
});

describe("a price by a rule", () => {
  it("appears unchanged at the tile, in a quote, in a sale and in /v1", async () => {
    const rounding: PriceList["rounding"] = { direction: "UP", bands: [{ step: 100, offset: 50 }] };
    expect((await save([markup("8")], { rounding })).status).toBe(200);
    const { tile, quote, v1 } = await prices();
    expect(tile % 100).toBe(50);
    expect([quote, v1]).toEqual([tile, tile]);
    const sold = await owner.sell([{ offerId: TIGO, ...TO, price: tile }]);
    expect([sold.status, sold.body.total]).toEqual([200, tile]);
    const bought = { offerId: TIGO, transactionId: "by-rule", ...TO };
    expect((await till.v1("POST", "/topups/purchases", bought)).status).toBe(200);
    expect((await till.v1("GET", "/topups/purchases/by-rule")).body.price).toBe(v1);
    await till.advance(MINUTE);
  });

  it("lies on the grid for any amount, with equal prices at the till and in /v1", async () => {
    const { body } = await till.v1("GET", `/topups/offers/${RANGE}`);
    const { min, increment } = body.price;
    expect([min % 100, increment]).toEqual([50, 100]);
    const value = { type: "PRICE", value: min + 1_300 };
    const quote = await owner.pos("POST", "/quotes", { offerId: RANGE, value });
    expect(quote.body.price % 100).toBe(50);
    const bought = { offerId: RANGE, transactionId: "range-by-rule", value, ...TO };
    expect((await till.v1("POST", "/topups/purchases", bought)).status).toBe(200);
    const off = { ...bought, transactionId: "off-grid", value: { ...value, value: min + 1 } };
    expect((await till.v1("POST", "/topups/purchases", off)).body.errorCode).toBe(
      "VALUE_OUT_OF_RANGE",
    );
    await till.advance(MINUTE);
  });

  it("can apply only to the till", async () => {
    const other = markup("50", { ruleId: "till", channel: "TILL" });
    expect((await save([markup("8"), other])).status).toBe(200);
    const { tile, quote, v1 } = await prices();
    expect(quote).toBe(tile);
    expect(tile).toBeGreaterThan(v1);
  });

  it("starts and ends at the rule's times without any action", async () => {
    await save([]);
    const suggested = (await prices()).tile;
    const from = toTimestamp(till.clock.now() + HOUR);
    const until = toTimestamp(till.clock.now() + 2 * HOUR);
    const saved = await save([markup("50", { from, until })]);
    expect(saved.body.until).toBe(from);
    expect(await prices()).toEqual({ tile: suggested, quote: suggested, v1: suggested });
    await till.advance(HOUR - 1);
    expect((await prices()).v1).toBe(suggested);
    await till.advance(1);
    const during = await prices();
    expect(during.v1).toBeGreaterThan(suggested);
    expect(new Set(Object.values(during)).size).toBe(1);
    const recorded = await till.gateway.context.db
      .selectFrom("changes")
      .select("topic")
      .where("changed_at", "=", till.clock.now())
      .execute();
    expect(recorded).toContainEqual({ topic: "catalog" });
    await till.advance(HOUR);
    expect((await prices()).v1).toBe(suggested);
  });
});

describe("the tax of a price", () => {
  it("results from the discounted price and the family's rate, and is stored with the sale", async () => {
    const TOPUP = { kind: "ON_PRICE", percent: "12" } as const;
    await save([markup("20")], { taxes: { ...PLAIN.taxes, TOPUP } });
    const { tile } = await prices();
    const line = {
      offerId: TIGO,
      recipientPhoneNumber: "+50251230009",
      price: tile,
      discount: 100,
    };
    const sale = await owner.prepareSale([line]);
    expect((await owner.pos("POST", "/sales", sale)).status).toBe(200);
    const { tax } = await till.gateway.context.db
      .selectFrom("sale_lines")
      .select("tax")
      .where("sale_id", "=", sale.saleId)
      .executeTakeFirstOrThrow();
    expect(tax).toBe(Math.round(tile - 100 - (tile - 100) / 1.12));
  });
});

describe("the last floor guard", () => {
  it("refuses a price that a rate change put below the floor, in the sale's own transaction", async () => {
    await save([]);
    const { db, purchases, transactor } = till.gateway.context;
    const made = await purchases.prepare({ ...SCOPE }, "TOPUP", {
      offerId: TIGO,
      transactionId: "too-late",
      ...TO,
    });
    await writerOf(db).updateTable("shops").set({ rate: "9.99" }).execute();
    const late = transactor.transact("default", (tx) => purchases.create(tx, made));
    await expect(late).rejects.toMatchObject({ errorCode: "PRICE_CHANGED" });
    const api = transactor.transact("default", (tx) =>
      purchases.create(tx, made, { channel: "API" }),
    );
    await expect(api).rejects.toMatchObject({ errorCode: "OFFER_DISABLED" });
    await writerOf(db).updateTable("shops").set({ rate: "7.75" }).execute();
    expect((await till.v1("GET", "/topups/purchases/too-late")).status).toBe(404);
  });

  it("returns the present price, with which the till can repeat the sale", async () => {
    await save([]);
    const { db, purchases } = till.gateway.context;
    const line = { offerId: TIGO, recipientPhoneNumber: "+50251230001" };
    const sale = await owner.prepareSale([line]);
    const prepare = purchases.prepareLine.bind(purchases);
    const between = vi.spyOn(purchases, "prepareLine").mockImplementationOnce(async (...of) => {
      const made = await prepare(...of);
      await writerOf(db).updateTable("shops").set({ rate: "9.99" }).execute();
      return made;
    });
    const refused = await owner.pos("POST", "/sales", sale);
    between.mockRestore();
    const now = (await prices()).quote;
    expect(refused.body).toMatchObject({
      errorCode: "PRICE_CHANGED",
      fields: { "lines.0.priceNow": String(now), price: String(now) },
    });
    await writerOf(db).updateTable("shops").set({ rate: "7.75" }).execute();
    expect((await owner.pos("POST", "/sales", sale)).status).toBe(200);
  });

  it("allows a sale to lose the permitted amount, until the budget is used up", async () => {
    const loss = { reason: "Opening", until: toTimestamp(till.clock.now() + HOUR) };
    const allowed = { ...loss, maxLossPerSale: 300, budget: 500 };
    await save([markup("-3", { belowCost: allowed, target: { offerId: TIGO } })]);
    const cheap = await prices();
    const sold = await owner.sell([{ offerId: TIGO, ...TO }]);
    expect(sold.status).toBe(200);
    const [{ lost }] = (await owner.pos("GET", "/prices/test")).body.losses;
    expect(lost).toBeGreaterThan(0);
    await owner.sell([{ offerId: TIGO, recipientPhoneNumber: "+50251234568" }]);
    await till.advance(MINUTE);
    for (let sales = 0; (await prices()).v1 === cheap.v1 && sales < 60; sales += 1) {
      await owner.sell([{ offerId: TIGO, recipientPhoneNumber: `+502512345${10 + sales}` }]);
    }
    expect((await prices()).v1).toBeGreaterThan(cheap.v1);
    const all = (await owner.pos("GET", "/prices/test")).body.losses[0].lost;
    expect(all).toBeLessThanOrEqual(500);
    await till.advance(MINUTE);
  });

  it("returns the loss of a failed sale to the budget", async () => {
    const loss = { reason: "Opening", until: toTimestamp(till.clock.now() + HOUR) };
    const allowed = { ...loss, maxLossPerSale: 300, budget: 500 };
    await save([
      { ...markup("-3", { belowCost: allowed, target: { offerId: TIGO } }), ruleId: "b" },
    ]);
    const lost = async () =>
      (await owner.pos("GET", "/prices/test")).body.losses.find(
        ({ ruleId }: { ruleId: string }) => ruleId === "b",
      )?.lost;
    await owner.sell([{ offerId: TIGO, recipientPhoneNumber: "+50251230003" }]);
    const ofOne = await lost();
    expect(ofOne).toBeGreaterThan(0);
    const failed = await owner.sell([{ offerId: TIGO, recipientPhoneNumber: "+50251239001" }]);
    await till.advance(MINUTE);
    const { body } = await owner.pos("GET", `/sales/${failed.body.saleId}`);
    expect(body.lines[0].status).toBe("FAILED");
    expect(await lost()).toBe(ofOne);
  });

  it("limits discounts, so that only an owner may discount below the floor", async () => {
    await save([], { floor: { aboveCostPercent: "5" } });
    const { tile } = await prices();
    const { cost } = (await owner.pos("POST", "/prices/test/reasons", { offerId: TIGO })).body;
    const floor = Math.ceil(cost.amount * 7.75 * 1.05);
    const needs = await Promise.all(
      [floor, floor - 1].map(async (paid) => {
        const line = { offerId: TIGO, ...TO, price: tile, discount: tile - paid };
        const refused = await clerk.pos("POST", "/sales", await clerk.prepareSale([line]));
        return String(refused.body.fields.needs).includes("belowCost");
      }),
    );
    expect(needs).toEqual([false, true]);
  });
});
