import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../../contract/problem.ts";
import type { TopupOffer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import type { PricingTerms } from "../../../lib/money.ts";
import { readSandboxCatalog } from "./catalog-file.ts";
import { priceOffer, type Quote, quoteOffer } from "./offer-quote.ts";

/** Exact number, independent of the arithmetic under test. */
interface Fraction {
  n: bigint;
  d: bigint;
}

function fraction(decimal: number | string): Fraction {
  const [digits = "", exponent = "0"] = String(decimal).toLowerCase().split("e");
  const [whole = "", decimals = ""] = digits.split(".");
  const power = Number(exponent) - decimals.length;
  const n = BigInt(whole + decimals);
  return power >= 0 ? { n: n * 10n ** BigInt(power), d: 1n } : { n, d: 10n ** BigInt(-power) };
}
function times(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.n, d: a.d * b.d };
}
function over(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d, d: a.d * b.n };
}
function down({ n, d }: Fraction): number {
  return Number(n / d);
}
function up({ n, d }: Fraction): number {
  return Number((n + d - 1n) / d);
}
function minor(amount: number, divisor: number): Fraction {
  return { n: BigInt(amount), d: BigInt(divisor) };
}

type Offer = Required<Parameters<typeof quoteOffer>[0]>;

/**
 * Recalculates a quote (rules#money-value-types): delivered = price × price.fx = cost × cost.fx.
 */
function expectedQuote({ cost, price, send }: Offer, value: PurchaseValue): Quote {
  const costFx = fraction(cost.fx ?? 0);
  const priceFx = fraction(price.fx ?? 0);
  const sendUnit = fraction(send.currencyDivisor);
  const delivered = {
    PRICE: () => down(times(times(minor(value.value, price.currencyDivisor), priceFx), sendUnit)),
    COST: () => down(times(times(minor(value.value, cost.currencyDivisor), costFx), sendUnit)),
    ZEND: () => value.value,
  }[value.type]();
  const major = minor(delivered, send.currencyDivisor);
  const costBase =
    value.type === "COST"
      ? value.value
      : up(times(over(major, costFx), fraction(cost.currencyDivisor)));
  const priceBase =
    value.type === "PRICE"
      ? value.value
      : up(times(over(major, priceFx), fraction(price.currencyDivisor)));
  const percent = over(fraction(cost.feePct), fraction(100));
  const costFee = cost.fee + up(times(minor(costBase, 1), percent));
  return { costBase, costFee, priceBase, priceFee: price.fee, send: delivered };
}

function expectSound(quote: Quote): void {
  for (const amount of Object.values(quote) as number[]) {
    expect(Number.isSafeInteger(amount)).toBe(true);
    expect(amount).toBeGreaterThanOrEqual(0);
  }
}

function expectReproducible(offer: Offer, value: PurchaseValue | undefined, quote: Quote): void {
  expect(quoteOffer(offer, value)).toEqual(quote);
  if (value?.type !== "PRICE" || quote.send < (offer.send.min ?? 0)) return;
  if (quote.send > (offer.send.max ?? 0)) return;
  const { costBase, costFee } = quoteOffer(offer, { type: "ZEND", value: quote.send });
  expect({ costBase, costFee }).toEqual({ costBase: quote.costBase, costFee: quote.costFee });
}

const divisor = fc.constantFrom(1, 10, 100, 1000);
/** Rates from 0.0001 to a million, with up to nine digits. */
const fx = fc
  .tuple(fc.integer({ min: 1_000, max: 999_999_999 }), fc.integer({ min: 3, max: 7 }))
  .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
/** The customer's rate in per mille of the shop's rate. */
const margin = fc.integer({ min: 500, max: 2_000 });
const feePct = fc.constantFrom(0, 0, 0.5, 0.75, 1.5, 2, 3.333, 10);
const fee = fc.constantFrom(0, 0, 1, 25, 1_000);

const rangeOffer = fc
  .record({
    divisors: fc.tuple(divisor, divisor, divisor),
    costFx: fx,
    margin,
    min: fc.integer({ min: 1, max: 100_000 }),
    steps: fc.integer({ min: 0, max: 5_000 }),
    increment: fc.integer({ min: 1, max: 500 }),
    feePct,
    costFee: fee,
    priceFee: fee,
  })
  .map((p): Offer => {
    const [costDivisor, priceDivisor, sendDivisor] = p.divisors;
    const priceFx = Number((p.costFx * (p.margin / 1_000)).toPrecision(12));
    const limits = { min: p.min, max: p.min + p.steps * p.increment };
    return {
      priceType: "RANGE",
      cost: {
        currency: "AAA",
        currencyDivisor: costDivisor,
        fx: p.costFx,
        ...limits,
        discount: 0,
        fee: p.costFee,
        feePct: p.feePct,
      },
      price: {
        currency: "BBB",
        currencyDivisor: priceDivisor,
        fx: priceFx,
        ...limits,
        increment: p.increment,
        margin: 0,
        suggestedFixed: 0,
        suggestedFx: priceFx,
        fee: p.priceFee,
      },
      send: { currency: "CCC", currencyDivisor: sendDivisor, fx: 1, ...limits },
    };
  });

function valueFor(offer: Offer, type: PurchaseValue["type"], at: number): PurchaseValue {
  const { min = 0, max = 0 } = { PRICE: offer.price, COST: offer.cost, ZEND: offer.send }[type];
  const step = type === "PRICE" ? (offer.price.increment ?? 1) : 1;
  const steps = Math.floor((max - min) / step);
  return { type, value: min + Math.round(at * steps) * step };
}

const type = fc.constantFrom<PurchaseValue["type"]>("PRICE", "COST", "ZEND");
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("a RANGE offer of any currencies and rates", () => {
  it("rounds the delivered amount down, and cost and price up, each to its own minor unit", () => {
    fc.assert(
      fc.property(rangeOffer, type, share, (offer, type, at) => {
        const value = valueFor(offer, type, at);
        const quote = quoteOffer(offer, value);
        expect(quote).toEqual(expectedQuote(offer, value));
        expectSound(quote);
        expectReproducible(offer, value, quote);
      }),
      { numRuns: 2_000 },
    );
  });

  it("accepts a PRICE value only within the limits, and at whole increments above the minimum", () => {
    const amount = fc.integer({ min: 1, max: 3_000_000 });
    fc.assert(
      fc.property(rangeOffer, amount, type, (offer, amount, type) => {
        const block = { PRICE: offer.price, COST: offer.cost, ZEND: offer.send }[type];
        const { min = 0, max = 0 } = block;
        const step = type === "PRICE" ? (offer.price.increment ?? 1) : 1;
        const legal = amount >= min && amount <= max && (amount - min) % step === 0;
        const attempt = () => quoteOffer(offer, { type, value: amount });
        if (legal) expectSound(attempt());
        else expect(attempt).toThrowProblem("VALUE_OUT_OF_RANGE");
      }),
      { numRuns: 2_000 },
    );
  });

  it("cannot be quoted without a value", () => {
    fc.assert(
      fc.property(rangeOffer, (offer) => {
        expect(() => quoteOffer(offer, undefined)).toThrowProblem("VALUE_REQUIRED");
      }),
    );
  });
});

expect.extend({
  toThrowProblem(attempt: () => unknown, errorCode: string) {
    let thrown: unknown;
    try {
      attempt();
    } catch (error) {
      thrown = error;
    }
    const found = (thrown as Problem | undefined)?.errorCode;
    return {
      pass: found === errorCode,
      message: () => `expected Problem ${errorCode}, got ${found ?? String(thrown)}`,
    };
  },
});

declare module "vitest" {
  interface Matchers {
    toThrowProblem(errorCode: string): void;
  }
}

describe("the sandbox catalog", () => {
  let sandbox: TopupOffer[];
  beforeAll(async () => {
    const resources = fileURLToPath(new URL("../../../../resources", import.meta.url));
    sandbox = (await readSandboxCatalog(resources)).topups;
  });

  const TERMS: PricingTerms[] = [
    { currency: "USD", currencyDivisor: 100, rate: "1" },
    { currency: "GTQ", currencyDivisor: 100, rate: "7.75" },
    { currency: "JPY", currencyDivisor: 1, rate: "155.37" },
    { currency: "KWD", currencyDivisor: 1000, rate: "0.3072" },
    { currency: "VND", currencyDivisor: 1, rate: "26123.456789" },
    { currency: "EUR", currencyDivisor: 100, rate: "0.851234567" },
  ];

  it.each(TERMS)("gives exact amounts for every offer in $currency", (terms) => {
    for (const stated of sandbox) {
      const offer = priceOffer(stated, terms);
      if (offer.priceType === "FIXED") {
        const quote = quoteOffer(offer, undefined);
        expectSound(quote);
        expect(quote.costBase).toBe(offer.cost.fixed);
        expect(quote.priceBase).toBe(offer.price.fixed);
        expect(quote.send).toBe(offer.send.fixed);
        const attempt = () => quoteOffer(offer, { type: "PRICE", value: quote.priceBase });
        expect(attempt).toThrowProblem("VALUE_NOT_ALLOWED");
        continue;
      }
      for (const type of ["PRICE", "COST", "ZEND"] as const) {
        for (const at of [0, 0.001, 0.37, 1]) {
          const value = valueFor(offer, type, at);
          const quote = quoteOffer(offer, value);
          expect(quote).toEqual(expectedQuote(offer, value));
          expectSound(quote);
          expectReproducible(offer, value, quote);
        }
      }
    }
  });

  it.each(TERMS.slice(1))("has prices in $currency at the exact rate, rounded up", (terms) => {
    const rate = fraction(terms.rate);
    for (const stated of sandbox) {
      const { price, ...rest } = priceOffer(stated, terms);
      const { price: before, ...unchanged } = stated;
      expect(rest).toEqual(unchanged);
      expect(price.currency).toBe(terms.currency);
      expect(price.currencyDivisor).toBe(terms.currencyDivisor);
      expect(price.margin).toBe(before.margin);
      for (const name of ["fixed", "min", "max", "increment", "suggestedFixed", "fee"] as const) {
        const amount = before[name];
        const major = amount === undefined ? undefined : minor(amount, before.currencyDivisor);
        const converted = major && up(times(times(major, rate), fraction(terms.currencyDivisor)));
        expect(price[name]).toBe(converted);
      }
      for (const name of ["fx", "suggestedFx"] as const) {
        const fxBefore = before[name];
        if (fxBefore === undefined) {
          expect(price[name]).toBeUndefined();
          continue;
        }
        const back = times(fraction(price[name] ?? 0), rate);
        const [a, b] = [back.n * fraction(fxBefore).d, fraction(fxBefore).n * back.d];
        const difference = a > b ? a - b : b - a;
        // Purchases use the rate that `/v1` serves, which is rounded to twelve digits.
        expect(difference * 10n ** 11n <= b).toBe(true);
      }
    }
  });

  it("keeps the stated prices if the shop's currency is the wallet's currency", () => {
    const terms = { currency: "USD", currencyDivisor: 100, rate: "1" };
    expect(sandbox.map((offer) => priceOffer(offer, terms))).toEqual(sandbox);
  });
});

describe("the conversion of a price", () => {
  function fixed(amount: number): TopupOffer["price"] {
    return {
      currency: "USD",
      currencyDivisor: 100,
      fixed: amount,
      margin: 10,
      suggestedFixed: amount,
      suggestedFx: 0,
      fee: 0,
    };
  }

  it.each([
    [330, "GTQ", 100, "7.75", 2_558], // 25.575
    [400, "GTQ", 100, "7.75", 3_100], // 31.00, exactly
    [330, "JPY", 1, "155.37", 513], // 512.721
    [100, "KWD", 1000, "0.3072", 308], // 0.3072
    [1, "JPY", 1, "0.000000001", 1],
    [110, "EUR", 100, "1.1", 121], // 1.21; a float gives 1.2100000000000002
  ])(
    "converts %d cents to %s with divisor %d at the rate %s: %d",
    (amount, currency, currencyDivisor, rate, expected) => {
      const offer = { price: fixed(amount) } as TopupOffer;
      const { price } = priceOffer(offer, { currency, currencyDivisor, rate });
      expect(price.fixed).toBe(expected);
    },
  );
});
