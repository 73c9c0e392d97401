import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { PricingTerms } from "../../../lib/money.ts";
import { NOW, priceList, rangeOffer, rule, terms } from "../../../testing/price-arbitraries.ts";
import { quoteOffer, sumCost } from "../catalog/index.ts";
import { PriceEngine } from "./price-engine.ts";
import { EMPTY_LIST } from "./price-list-store.ts";

const TRIED = 60;

const MARKED_UP = fc.tuple(priceList, rule).map(([list, one]): StoredPriceList => {
  const { from: _from, until: _until, ...always } = one;
  const forAll = { ...always, enabled: true, target: {}, channel: "ANY", how: "MARKUP" } as const;
  return { ...list, rules: [forAll] };
});

function listValues({ price, cost, ...offer }: Offer): PurchaseValue[] {
  const send = "send" in offer ? offer.send : cost;
  const blocks = { PRICE: price, COST: cost, ZEND: send } as const;
  return (Object.keys(blocks) as (keyof typeof blocks)[]).flatMap((type) => {
    const { min = 0, max = 0 } = blocks[type];
    const step = type === "PRICE" ? (price.increment ?? 1) : 1;
    const count = Math.max(0, Math.floor((max - min) / step) + 1);
    const positions = Array.from({ length: Math.min(count, TRIED) }, (_, index) => [
      index,
      count - 1 - index,
    ]);
    return [...new Set(positions.flat())].map((position) => ({
      type,
      value: min + position * step,
    }));
  });
}

function unsafe(engine: PriceEngine, stated: Offer, priced: Offer): string[] {
  return listValues(priced)
    .filter((value) => {
      const quote = quoteOffer(priced, value);
      const { lowest } = engine.lowest(stated, "TILL", sumCost(quote));
      return lowest.gt(quote.priceBase + quote.priceFee);
    })
    .map(({ type, value }) => `${type} ${value}`);
}

function makeEngine(list: StoredPriceList, by: PricingTerms, spent: string[] = []) {
  return new PriceEngine({ list, terms: by, at: NOW, spent: new Set(spent) });
}

describe("a RANGE offer", () => {
  it("covers its floor at every value, whether the value is a price, a cost or a delivered amount", {
    tags: ["thorough"],
  }, () => {
    let sold = 0;
    fc.assert(
      fc.property(rangeOffer, fc.oneof(MARKED_UP, priceList), terms, (offer, list, by) => {
        const engine = makeEngine(list, by);
        const priced = engine.price(offer, "TILL");
        if (!priced.offer.enabled) return;
        sold += 1;
        expect(unsafe(engine, offer, priced.offer)).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(sold).toBeGreaterThan(200);
  });

  it("would be sold below its floor at middle values if only its two ends were checked", {
    tags: ["thorough"],
  }, () => {
    // At a low margin, rounding can cause a loss at a middle value.
    const list = { ...EMPTY_LIST, floor: { aboveCostPercent: "0" } };
    const between = fc.sample(rangeOffer, { numRuns: 300, seed: 3 }).filter((offer) => {
      const engine = makeEngine(list, { currency: "GTQ", currencyDivisor: 100, rate: "7.75" });
      const unguarded = makeEngine(EMPTY_LIST, engine.money.terms).price(offer, "TILL").offer;
      return unsafe(engine, offer, unguarded).length > 0;
    });
    expect(between.length).toBeGreaterThan(20);
  });

  it("has every PRICE on the grid of a rule with one band", () => {
    fc.assert(
      fc.property(rangeOffer, MARKED_UP, terms, (offer, list, by) => {
        const priced = makeEngine(list, by).price(offer, "TILL");
        const grid = priced.rule?.grid;
        const bands = (priced.rule?.rule.rounding ?? list.rounding)?.bands ?? [];
        if (!priced.offer.enabled || !grid) return;
        const { increment = 1, max = 0, min = 0, fee } = priced.offer.price;
        expect([(max - min) % increment, fee % increment]).toEqual([0, 0]);
        if (bands.length > 1) return;
        const zero = makeEngine(list, by).money.toShopMoney(0, by);
        for (const { type, value } of listValues(priced.offer)) {
          if (type === "PRICE") expect(grid.roundUp(zero.add(value))).toBe(value);
        }
      }),
    );
  });

  it("keeps its limits under any bands and profit cap, and reports values removed by the floor", () => {
    fc.assert(
      fc.property(rangeOffer, MARKED_UP, terms, (offer, list, by) => {
        const priced = makeEngine(list, by).price(offer, "TILL");
        const rules = list.rules.map((rule) => {
          const { maxProfit: _, rounding: __, ...rest } = rule;
          return rest;
        });
        const { rounding: _, ...plainList } = list;
        const plain = makeEngine({ ...plainList, rules }, by).price(offer, "TILL");
        if (!priced.offer.enabled || !plain.offer.enabled) return;
        const { max = 0, min = 0, increment = 1 } = priced.offer.price;
        const { max: plainMax = 0 } = plain.offer.price;
        if (!priced.full) expect(plainMax - max).toBeLessThan(2 * increment);
        else expect(max < priced.full.max || min > priced.full.min).toBe(true);
      }),
    );
  });

  it("delivers no more than the rule allows for the price: its fx is cut, never rounded up", () => {
    fc.assert(
      fc.property(rangeOffer, MARKED_UP, terms, (offer, list, by) => {
        const priced = makeEngine(list, by).price(offer, "TILL");
        const { rule: made } = priced;
        if (!priced.offer.enabled || made?.rule.basis !== "COST") return;
        const { money } = makeEngine(list, by);
        const exact = money
          .getCostRate(offer.cost)
          .mul(1 + offer.cost.feePct / 100)
          .mul(made.factor)
          .mul(money.getTax("TOPUP").onPrice);
        const { fx = 0 } = priced.offer.price;
        expect(exact.mul(fx).lte(offer.cost.fx ?? 0)).toBe(true);
      }),
    );
  });
});

describe("a rule that allows a loss", () => {
  const below = (until: number) => ({
    ...EMPTY_LIST,
    floor: { aboveCostPercent: "0" },
    rules: [
      {
        ruleId: "loss",
        enabled: true,
        target: {},
        class: "PROMOTION" as const,
        channel: "ANY" as const,
        basis: "COST" as const,
        how: "MARKUP" as const,
        percent: "-5",
        since: 1,
        belowCost: {
          reason: "Opening week",
          until: toTimestamp(until),
          maxLossPerSale: 100,
          budget: 10_000,
        },
      },
    ],
  });
  const by = { currency: "USD", currencyDivisor: 100, rate: "1" };

  it("loses at most the allowed amount per sale, at any value", () => {
    fc.assert(
      fc.property(rangeOffer, (offer) => {
        const engine = makeEngine(below(NOW + DAY), by);
        const priced = engine.price(offer, "TILL");
        if (priced.offer.enabled) expect(unsafe(engine, offer, priced.offer)).toEqual([]);
      }),
    );
  });

  it("allows no loss after its last day, or after its budget is used up", () => {
    fc.assert(
      fc.property(rangeOffer, fc.boolean(), (offer, isOver) => {
        const engine = isOver
          ? makeEngine(below(NOW), by)
          : makeEngine(below(NOW + DAY), by, ["loss"]);
        const priced = engine.price(offer, "TILL");
        expect(priced.rule?.belowCost).toBeUndefined();
        if (priced.offer.enabled) expect(unsafe(engine, offer, priced.offer)).toEqual([]);
      }),
    );
  });
});
