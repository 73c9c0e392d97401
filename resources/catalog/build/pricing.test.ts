import { Decimal } from "decimal.js";
import { describe, expect, it } from "vitest";
import { fixedMoney, pricedMoney, rangeMoney } from "./pricing.ts";

const quetzal = { currency: "GTQ", rate: new Decimal("7.66") };
const dollar = { currency: "USD", rate: new Decimal(1) };
const terms = {
  discountPct: new Decimal(9),
  markupPct: new Decimal(3),
  costFeeCents: 25,
  costFeePct: new Decimal("1.5"),
  priceFeeCents: 50,
};

describe("fixedMoney", () => {
  it("subtracts the discount from the face value and rounds cost and price up", () => {
    // 25 GTQ are 326.37 cents. The cost 296.997 is rounded to 297, and the price 336.16 to the next
    // multiple of 5 cents.
    expect(fixedMoney(new Decimal(25), quetzal, terms)).toEqual({
      priceType: "FIXED",
      cost: {
        currency: "USD",
        currencyDivisor: 100,
        fixed: 297,
        discount: 9,
        fee: 25,
        feePct: 1.5,
      },
      price: {
        currency: "USD",
        currencyDivisor: 100,
        fixed: 340,
        margin: 14.48,
        suggestedFixed: 340,
        suggestedFx: 0,
        fee: 50,
      },
      send: { currency: "GTQ", currencyDivisor: 100, fixed: 2500 },
    });
  });

  it("leaves a price without markup at face value", () => {
    const atFace = { ...terms, markupPct: new Decimal(0) };
    expect(fixedMoney(new Decimal("6.99"), dollar, atFace).price.fixed).toBe(699);
  });

  it("rounds larger prices to larger steps", () => {
    const price = (face: number) => fixedMoney(new Decimal(face), dollar, terms).price.fixed;
    expect([price(9), price(20), price(60)]).toEqual([930, 2075, 6200]);
  });

  it("uses the minor unit of the currency", () => {
    const sent = (face: string, currency: string, rate: string) =>
      fixedMoney(new Decimal(face), { currency, rate: new Decimal(rate) }, terms).send;
    expect(sent("500", "XOF", "563.5")).toMatchObject({ currencyDivisor: 1, fixed: 500 });
    expect(sent("2.5", "KWD", "0.3075")).toMatchObject({ currencyDivisor: 1000, fixed: 2500 });
    expect(sent("2000", "MGA", "4600")).toMatchObject({ currencyDivisor: 100, fixed: 200_000 });
  });

  it("refuses a face value with more decimals than the currency has", () => {
    expect(() => fixedMoney(new Decimal("7.5"), { ...quetzal, currency: "JPY" }, terms)).toThrow(
      "7.5 JPY has more decimals than JPY",
    );
  });
});

describe("rangeMoney", () => {
  const range = { min: new Decimal(2), max: new Decimal(40), step: new Decimal("0.25") };

  it("derives all limits from the smallest price", () => {
    // 2.00 USD less 3 % markup at 7.66 are 14.8737 GTQ. The cost share 0.91 / 1.03 is 0.88.
    const { cost, price, send } = rangeMoney(range, quetzal, terms);
    expect(send).toMatchObject({ fx: 1, min: 1_487, max: 29_740 });
    expect(price).toMatchObject({ fx: 7.435, min: 200, max: 4_000, increment: 25, margin: 13.64 });
    expect(cost).toMatchObject({ fx: 8.44886363637, min: 176, max: 3_520, discount: 9.3 });
  });
});

describe("pricedMoney", () => {
  const range = { min: new Decimal(2), max: new Decimal(40), step: new Decimal("0.25") };
  const gourde = { currency: "HTG", rate: new Decimal("130.9") };
  const priced = (usd: number, send: { currency: string; rate: Decimal }) =>
    pricedMoney(new Decimal(usd), range, send, terms);

  it("delivers and costs the same as the free value at the same price", () => {
    // 10.00 USD at 7.435 are 74.35 GTQ. At the cost's rate of 8.44886363637, 74.35 GTQ are 880
    // cents.
    expect(priced(10, quetzal)).toEqual({
      priceType: "FIXED",
      cost: {
        currency: "USD",
        currencyDivisor: 100,
        fixed: 880,
        discount: 9.3,
        fee: 25,
        feePct: 1.5,
      },
      price: {
        currency: "USD",
        currencyDivisor: 100,
        fixed: 1_000,
        margin: 13.64,
        suggestedFixed: 1_000,
        suggestedFx: 0,
        fee: 50,
      },
      send: { currency: "GTQ", currencyDivisor: 100, fixed: 7_435 },
    });
  });

  it("delivers whole units if the delivered value is at least 200 units", () => {
    expect(priced(2, gourde).send.fixed).toBe(25_400);
    expect(priced(20, gourde).send.fixed % 100).toBe(0);
  });

  it.each([1, 41, 2.1])(
    "refuses %s dollars, which is no possible price of the free value",
    (usd) => {
      expect(() => priced(usd, quetzal)).toThrow(`${usd} USD is no price of the free value`);
    },
  );
});
