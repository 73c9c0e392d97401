import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PriceBand, StoredPriceList, StoredPriceRule } from "../../../contract/pos/prices.ts";
import { calendarOf, startOfDay } from "../../../contract/pos/shop-day.ts";
import type { TopupOffer } from "../../../contract/v1/offers.ts";
import { DAY, HOUR, toTimestamp } from "../../../lib/clock.ts";
import type { PricingTerms } from "../../../lib/money.ts";
import {
  fixedOffer,
  NOW,
  priceList,
  rangeOffer,
  rounding,
  rule,
  terms,
} from "../../../testing/price-arbitraries.ts";
import { priceOffer, quoteOffer, sumCost } from "../catalog/index.ts";
import { PriceEngine } from "./price-engine.ts";
import { PriceGrid } from "./price-grid.ts";
import { EMPTY_LIST } from "./price-list-store.ts";

const NOBODY: ReadonlySet<string> = new Set();
const anyOffer = fc.oneof(fixedOffer, rangeOffer);
const channel = fc.constantFrom("TILL" as const, "API" as const);
const QUETZALES: PricingTerms = { currency: "GTQ", currencyDivisor: 100, rate: "7.75" };

function makeEngine(list: StoredPriceList, by: PricingTerms, at = NOW): PriceEngine {
  return new PriceEngine({ list, terms: by, at, spent: NOBODY });
}

function makeRule(of: Partial<StoredPriceRule>): StoredPriceRule {
  return {
    ruleId: "one",
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent: "8",
    since: 1,
    ...of,
  };
}

function makeList(rules: StoredPriceRule[], of: Partial<StoredPriceList> = {}): StoredPriceList {
  return { ...EMPTY_LIST, floor: { aboveCostPercent: "0" }, rules, ...of };
}

describe("a price", () => {
  it("equals the suggested price to the last digit while no list is saved", () => {
    fc.assert(
      fc.property(anyOffer, terms, channel, (offer, by, where) => {
        expect(makeEngine(EMPTY_LIST, by).price(offer, where).offer).toEqual(priceOffer(offer, by));
      }),
    );
  });

  it("lies on the grid and never below the floor, if its offer is FIXED", () => {
    fc.assert(
      fc.property(fixedOffer, priceList, terms, channel, (offer, list, by, where) => {
        const engine = makeEngine(list, by);
        const priced = engine.price(offer, where);
        if (!priced.offer.enabled) return;
        const { fixed = 0, fee } = priced.offer.price;
        const cost = sumCost(quoteOffer(offer, undefined));
        expect(engine.lowest(offer, where, cost).lowest.lte(fixed + fee)).toBe(true);
        const made = priced.rule;
        const exact = engine.money.toShopMoney(0, offer.cost).add(fixed);
        if (made) expect(made.grid.round(exact)).toBe(fixed);
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not change through a rule for other offers", () => {
    fc.assert(
      fc.property(anyOffer, priceList, rule, terms, channel, (offer, list, other, by, where) => {
        const foreign = { ...other, target: { ...other.target, offerId: "nothing" } };
        const before = makeEngine(list, by).price(offer, where);
        const more = { ...list, rules: [foreign, ...list.rules] };
        expect(makeEngine(more, by).price(offer, where).offer).toEqual(before.offer);
      }),
    );
  });

  it("does not depend on the order of the rules", () => {
    const shuffled = priceList.chain((list) =>
      fc
        .shuffledSubarray(list.rules, { minLength: list.rules.length })
        .map((rules) => [list, { ...list, rules }] as const),
    );
    fc.assert(
      fc.property(anyOffer, shuffled, terms, channel, (offer, [list, other], by, where) => {
        const [one, two] = [list, other].map((of) => makeEngine(of, by).price(offer, where));
        expect(one?.offer).toEqual(two?.offer);
        expect(one?.rule?.rule.ruleId).toBe(two?.rule?.rule.ruleId);
      }),
    );
  });

  it("never falls when the rate rises, if its basis is the cost", () => {
    const dearer = fc.integer({ min: 1, max: 500 });
    const byCost = priceList.map((list) => ({
      ...list,
      rules: list.rules.map((one) => ({ ...one, basis: "COST" as const })),
    }));
    fc.assert(
      fc.property(fixedOffer, byCost, dearer, (offer, list, more) => {
        const rate = (7.75 + more / 100).toFixed(2);
        const before = makeEngine(list, QUETZALES).price(offer, "TILL");
        const after = makeEngine(list, { ...QUETZALES, rate }).price(offer, "TILL");
        // A SET price is blocked if the cost rises above it.
        if (!before.offer.enabled || !after.offer.enabled) return;
        expect(after.offer.price.fixed).toBeGreaterThanOrEqual(before.offer.price.fixed ?? 0);
      }),
    );
  });
});

describe("the choice of one rule", () => {
  const offer: TopupOffer = {
    ...fc.sample(fixedOffer, { numRuns: 1, seed: 1 })[0]!,
    offerId: "A",
    brand: "TIGO",
    country: "GT",
    subTypes: ["Mobile Data", "Mobile Top Up"],
  };
  const winner = (...rules: StoredPriceRule[]) =>
    makeEngine(makeList(rules), QUETZALES).price(offer, "TILL").rule?.rule.ruleId;

  it.each<[string, Partial<StoredPriceRule>, Partial<StoredPriceRule>]>([
    ["a promotion", { class: "PROMOTION" }, { target: { offerId: "A" } }],
    ["an offer's", { target: { offerId: "A" } }, { target: { brand: "TIGO", country: "GT" } }],
    ["a brand's", { target: { brand: "TIGO" } }, { target: { country: "GT", family: "TOPUP" } }],
    ["a country's", { target: { country: "GT" } }, { target: { subType: "Mobile Data" } }],
    ["a subtype's", { target: { subType: "Mobile Data" } }, { target: { family: "TOPUP" } }],
    ["a family's", { target: { family: "TOPUP" } }, {}],
    ["one for the till", { channel: "TILL" }, { from: toTimestamp(NOW - HOUR) }],
    ["one that began later", { from: toTimestamp(NOW - HOUR) }, { from: toTimestamp(NOW - DAY) }],
    [
      "the first of two subtypes",
      { target: { subType: "Mobile Data" } },
      { target: { subType: "Mobile Top Up" } },
    ],
  ])("prefers %s", (_name, first, second) => {
    const [one, two] = [makeRule({ ...first }), makeRule({ ...second, ruleId: "two" })];
    expect([winner(one, two), winner(two, one)]).toEqual(["one", "one"]);
  });

  it("skips rules that are switched off, or apply to another brand, channel or price type", () => {
    const range = fc.sample(rangeOffer, { numRuns: 1, seed: 1 })[0]!;
    const off = [
      makeRule({ enabled: false }),
      makeRule({ target: { brand: "CLARO" } }),
      makeRule({ channel: "API" }),
    ];
    expect(winner(...off)).toBeUndefined();
    const set = makeList([makeRule({ how: "SET", amount: 5_000 })]);
    expect(makeEngine(set, QUETZALES).price(range, "TILL").rule).toBeUndefined();
  });
});

describe("a rule with dates", () => {
  it.each([
    ["an ordinary midnight", "America/Guatemala", Date.UTC(2026, 5, 1, 12)],
    ["clocks put forward at midnight", "Africa/Cairo", Date.UTC(2026, 3, 24, 12)],
    ["clocks put forward in the night", "America/New_York", Date.UTC(2026, 2, 8, 12)],
    ["clocks put back in the night", "Europe/Madrid", Date.UTC(2026, 9, 25, 12)],
  ])("applies from its start until before its end: %s", (_name, zone, noon) => {
    const [from, until] = [
      startOfDay(noon, calendarOf(zone)),
      startOfDay(noon + DAY, calendarOf(zone)),
    ];
    const of = { from: toTimestamp(from), until: toTimestamp(until) };
    const list = makeList([makeRule(of)]);
    const offer = fc.sample(fixedOffer, { numRuns: 1, seed: 7 })[0]!;
    const wins = [from - 1, from, until - 1, until].map((at) => {
      const engine = makeEngine(list, QUETZALES, at);
      expect([engine.from <= at, at < engine.until]).toEqual([true, true]);
      return engine.price(offer, "TILL").rule !== undefined;
    });
    expect(wins).toEqual([false, true, true, false]);
    expect([-1, 0].map((off) => makeEngine(list, QUETZALES, from + off).until)).toEqual([
      from,
      until,
    ]);
  });
});

describe("a price grid", () => {
  const amount = fc.integer({ min: 0, max: 40_000 });
  it("returns the smallest value not below a price, or the closest value if it may round down", () => {
    fc.assert(
      fc.property(rounding, amount, (of, price) => {
        const exact = makeEngine(EMPTY_LIST, QUETZALES).money.toShopMoney(0, QUETZALES).add(price);
        const values = new PriceGrid({ ...of, direction: "UP" });
        const found = values.round(exact);
        expect(found).toBeGreaterThanOrEqual(price);
        const between = Array.from({ length: found - price }, (_, index) => price + index);
        expect(between.filter((value) => isOnGrid(of.bands, value))).toEqual([]);
        expect(isOnGrid(of.bands, found)).toBe(true);
        const near = new PriceGrid({ ...of, direction: "NEAREST" }).round(exact);
        expect(Math.abs(near - price)).toBeLessThanOrEqual(found - price);
      }),
    );
  });

  it("keeps both limits of a RANGE offer, in steps of the band that contains its smallest value", () => {
    fc.assert(
      fc.property(rounding, amount, amount, (of, min, span) => {
        const grid = new PriceGrid(of);
        const zero = makeEngine(EMPTY_LIST, QUETZALES).money.toShopMoney(0, QUETZALES);
        const { first, step, last } = grid.evenValues(zero.add(min), zero.add(min + span));
        expect(first).toBe(grid.roundUp(zero.add(min)));
        if (first > min + span) return;
        // For all bands, the last value is less than one step below the upper limit.
        expect(min + span - last).toBeLessThan(step);
        const own = of.bands.find(({ below = Infinity }) => first < below);
        expect(step % (own?.step ?? 1)).toBe(0);
        const [only, ...others] = of.bands;
        if (only && others.length === 0) expect(isOnGrid(of.bands, last)).toBe(true);
      }),
    );
  });
});

function isOnGrid(bands: readonly PriceBand[], value: number): boolean {
  const band = bands.find(({ below = Infinity }) => value < below);
  return band !== undefined && (value - band.offset) % band.step === 0;
}
