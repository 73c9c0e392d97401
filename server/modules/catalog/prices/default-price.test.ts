import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cashEndings, smallestCash } from "../../../contract/pos/cash-endings.ts";
import type { StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Offer, TopupOffer } from "../../../contract/v1/offers.ts";
import type { PricingTerms } from "../../../lib/money.ts";
import {
  fixedOffer,
  NOW,
  priceList,
  rangeOffer,
  rounding,
  terms,
} from "../../../testing/price-arbitraries.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { priceOffer, quoteOffer, sumCost } from "../catalog/index.ts";
import { PriceEngine } from "./price-engine.ts";
import { PriceGrid } from "./price-grid.ts";
import { STARTING_LIST } from "./price-list-store.ts";

const TEN = "LYCAMOBILE_ES_TOPUP_10";
const DEAR = "DIGI_ES_TOPUP_10";
const RANGE = "LEBARA_ES_TOPUP_RANGE";
/**
 * Euros for one dollar. DIGI's cost of 10.95 USD is above the face value of 10.00 EUR, and
 * Lycamobile's cost of 10.25 USD is below it.
 */
const RATE = "0.93";
const TO = { recipientPhoneNumber: "+34612345678" };

let gateway: TestGateway;
let owner: TestTill;

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway, {
    currency: "EUR",
    rate: RATE,
    timeZone: "Europe/Madrid",
    prices: "FACE_VALUE",
  });
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

const quote = async (offerId: string, value?: object) =>
  (await owner.pos("POST", "/quotes", { offerId, ...(value && { value }) })).body;
const explain = async (offerId: string) =>
  (await owner.pos("POST", "/prices/test/reasons", { offerId })).body;

describe("a new shop", () => {
  it("sells a domestic top-up at its face value, with the same price in a quote, a sale and /v1", async () => {
    expect((await quote(TEN)).price).toBe(1_000);
    const sold = await owner.sell([{ offerId: TEN, ...TO, price: 1_000 }]);
    expect([sold.status, sold.body.total]).toEqual([200, 1_000]);
    const { price, cost } = (await gateway.v1("GET", `/topups/offers/${TEN}`)).body;
    expect([price.fixed, price.fee, cost.fixed]).toEqual([1_000, 0, 1_025]);
    const reason = await explain(TEN);
    expect(reason).toMatchObject({ faceValue: true, price: 1_000, version: 1 });
    expect(reason.rule).toBeUndefined();
  });

  it("uses the suggested price, rounded for payment in cash, if the face value is below cost", async () => {
    // The suggested 12.00 USD are 11.16 EUR, and the cost of 10.95 USD is 10.1835 EUR.
    expect((await quote(DEAR)).price).toBe(1_120);
    expect((await explain(DEAR)).faceValue).toBeUndefined();
  });

  it("sells any amount of a domestic top-up at its face value", async () => {
    expect(await quote(RANGE, { type: "PRICE", value: 1_215 })).toMatchObject({ price: 1_215 });
    const reason = await explain(RANGE);
    // 4.21 to 42.10 EUR can be delivered. The customer pays in steps of 0.05.
    expect(reason.range).toEqual({ min: 425, max: 4_210, increment: 5, fee: 0 });
    expect(reason.faceValue).toBe(true);
  });

  it("rounds prices without a face value up to a multiple of a coin, and large prices to half euros", async () => {
    const { offers } = await gateway.gateway.context.catalog.getSnapshot({
      accountId: "default",
      environment: "test",
    });
    const fixed = offers.filter(
      ({ priceType, enabled, productType }) =>
        enabled && priceType === "FIXED" && productType === "VOUCHER",
    );
    expect(fixed.length).toBeGreaterThan(500);
    for (const { price } of fixed) {
      const total = (price.fixed ?? 0) + price.fee;
      expect(total % (total < 2_000 ? 5 : 50)).toBe(0);
    }
  });

  it("uses the owner's rule, and the suggested prices after the defaults are switched off", async () => {
    const { list, newest } = (await owner.pos("GET", "/prices/test")).body;
    expect(list.defaults).toEqual({ faceValue: true, cashEndings: true });
    const rule = {
      ruleId: "own",
      enabled: true,
      target: { offerId: TEN },
      class: "STANDARD",
      channel: "ANY",
      basis: "COST",
      how: "MARKUP",
      percent: "8.76",
    };
    const { rules: _rules, ...settings } = list;
    const ruled = { list: { ...settings, rules: [rule] }, base: newest };
    expect((await owner.pos("PUT", "/prices/test", ruled)).status).toBe(200);
    // 10.25 USD × 0.93 × 1.0876 = 10.3675 EUR.
    expect((await quote(TEN)).price).toBe(1_037);
    const { defaults: _defaults, ...plain } = settings;
    const off = { list: { ...plain, rules: [] }, base: newest + 1 };
    expect((await owner.pos("PUT", "/prices/test", off)).status).toBe(200);
    expect((await quote(TEN)).price).toBe(1_116);
  });
});

const exactly = (minor: number, by: PricingTerms) =>
  makeEngine(STARTING_LIST, by).money.toShopMoney(minor, by);

function coinsOf({ currency, currencyDivisor }: PricingTerms) {
  const step = smallestCash(currency, currencyDivisor);
  return { direction: "UP" as const, bands: [{ step, offset: 0 }] };
}

const anyOffer = fc.oneof(fixedOffer, rangeOffer);
const withDefaults: fc.Arbitrary<StoredPriceList> = priceList.map((list) => ({
  ...list,
  rules: [],
  defaults: { faceValue: true, cashEndings: true },
}));

function makeEngine(list: StoredPriceList, by: PricingTerms) {
  return new PriceEngine({ list, terms: by, at: NOW, spent: new Set() });
}

/** Offers whose face value is near the cost in the shop's currency. */
const domestic = fc
  .tuple(anyOffer, terms, fc.integer({ min: -200, max: 300 }))
  .map(([offer, by, perMille]) => {
    const { currency, currencyDivisor } = by;
    const per = (Number(by.rate) * (1_000 + perMille)) / 1_000;
    const toSend = (minor = 0) => Math.ceil((minor / 100) * per * currencyDivisor);
    const send =
      offer.priceType === "FIXED"
        ? { fixed: toSend(offer.cost.fixed) }
        : { fx: 1, min: toSend(offer.cost.min), max: toSend(offer.cost.max) };
    const cost = offer.priceType === "FIXED" ? offer.cost : { ...offer.cost, fx: per };
    const made: TopupOffer = { ...offer, cost, send: { currency, currencyDivisor, ...send } };
    return { offer: made, by: { ...by, country: offer.country } };
  });

describe("the default price of any offer", () => {
  it("never falls below the floor, at face value or with rounding for cash", () => {
    fc.assert(
      fc.property(domestic, withDefaults, ({ offer, by }, list) => {
        const engine = makeEngine(list, by);
        const priced = engine.price(offer, "TILL");
        if (!priced.offer.enabled) return;
        for (const value of listPrices(priced.offer)) {
          const made = quoteOffer(priced.offer, value);
          const paid = made.priceBase + made.priceFee;
          expect(engine.lowest(offer, "TILL", sumCost(made)).lowest.lte(paid)).toBe(true);
          if (priced.isFaceValue) expect(paid).toBe(made.send);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("equals the face value whenever the face value covers the floor", () => {
    fc.assert(
      fc.property(domestic, withDefaults, ({ offer, by }, list) => {
        if (offer.priceType !== "FIXED") return;
        const engine = makeEngine(list, by);
        const priced = engine.price(offer, "TILL");
        const face = offer.send.fixed ?? 0;
        const cost = sumCost(quoteOffer(offer, undefined));
        const covers = engine.lowest(offer, "TILL", cost).lowest.lte(face);
        expect(priced.isFaceValue === true).toBe(covers && face > 0);
        if (priced.isFaceValue) expect(priced.offer.price.fixed).toBe(face);
      }),
    );
  });

  it("ignores the face value abroad, in another currency, or if the shop's country is unknown", () => {
    fc.assert(
      fc.property(domestic, withDefaults, ({ offer, by }, list) => {
        const { country: _country, ...nowhere } = by;
        const foreign = { ...offer, send: { ...offer.send, currency: "XTS" } };
        const priced = [
          makeEngine(list, { ...by, country: "HN" }).price(offer, "TILL"),
          makeEngine(list, nowhere).price(offer, "TILL"),
          makeEngine(list, by).price(foreign, "TILL"),
        ];
        expect(priced.map(({ isFaceValue = false }) => isFaceValue)).toEqual([false, false, false]);
      }),
    );
  });

  it("keeps all values of a range, or starts at the first coin value and ends less than one step early", () => {
    fc.assert(
      fc.property(rangeOffer, withDefaults, terms, (offer, list, by) => {
        const plain = { ...list, defaults: { faceValue: false, cashEndings: false } };
        const [before, after] = [plain, list].map((of) => makeEngine(of, by).price(offer, "TILL"));
        // Rounding up may lift a blocked range above its floor, but never blocks a range.
        if (before?.offer.enabled) expect(after?.offer.enabled).toBe(true);
        if (!after?.offer.enabled) return;
        const { min = 0, max = 0 } = priceOffer(offer, by).price;
        const { min: first = 0, max: last = 0, increment = 1 } = after.offer.price;
        const isKept = first === before?.offer.price.min && last === before.offer.price.max;
        const grid = new PriceGrid(list.rounding ?? coinsOf(by));
        const whole = { first: grid.roundUp(exactly(min, by)), last: max - increment + 1 };
        if (!isKept) expect([first, last >= whole.last]).toEqual([whole.first, true]);
      }),
    );
  });

  it("exceeds the suggested price by less than 2.5 % or less than one coin", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(["EUR", 100], ["JPY", 1], ["KWD", 1000], ["SEK", 100], ["CLP", 1]),
        fc.integer({ min: 1, max: 10_000_000 }),
        ([code, minor], amount) => {
          const [currency, divisor] = [String(code), Number(minor)];
          const grid = new PriceGrid(cashEndings(currency, divisor));
          const engine = makeEngine(STARTING_LIST, {
            currency,
            currencyDivisor: divisor,
            rate: "1",
          });
          const exact = engine.money.toShopMoney(amount, { currency, currencyDivisor: divisor });
          const step = smallestCash(currency, divisor);
          const raised = grid.round(exact) - amount;
          expect(raised).toBeGreaterThanOrEqual(0);
          expect(raised < step || raised < amount * 0.025).toBe(true);
          expect(grid.round(exact) % step).toBe(0);
        },
      ),
    );
  });

  it("uses the list's own rounding instead of coin values", () => {
    fc.assert(
      fc.property(fixedOffer, withDefaults, rounding, terms, (offer, list, own, by) => {
        const priced = makeEngine({ ...list, rounding: own }, by).price(offer, "TILL");
        const { fixed = 0, fee } = priced.offer.price;
        const total = makeEngine(list, by)
          .money.toShopMoney(0, by)
          .add(fixed + fee);
        const grid = new PriceGrid({ ...own, direction: "UP" });
        if (priced.offer.enabled) expect(grid.round(total)).toBe(fixed + fee);
      }),
    );
  });
});

function listPrices({ priceType, price }: Offer) {
  if (priceType === "FIXED") return [undefined];
  const { min = 0, max = 0, increment = 1 } = price;
  const count = Math.floor((max - min) / increment) + 1;
  const near = Array.from({ length: Math.min(count, 40) }, (_, index) => [
    index,
    count - 1 - index,
  ]);
  return [...new Set(near.flat())].map((index) => ({
    type: "PRICE" as const,
    value: min + index * increment,
  }));
}
