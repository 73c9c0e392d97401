import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitBill } from "./bill-amounts.ts";

const amount = fc.integer({ min: 0, max: 1_000_000_000 });
const money = fc.constantFrom(
  { currency: "GTQ", divisor: 100 },
  { currency: "JPY", divisor: 1 },
  { currency: "KWD", divisor: 1_000 },
);

describe("amount due and service fee of a bill payment", () => {
  it("add up to the price, and are never negative", () => {
    fc.assert(
      fc.property(amount, amount, amount, money, money, (price, priceFee, send, paid, sent) => {
        const { due, fee } = splitBill({
          price,
          priceFee,
          send,
          priceCurrency: paid.currency,
          priceCurrencyDivisor: paid.divisor,
          sendCurrency: sent.currency,
          sendCurrencyDivisor: sent.divisor,
        });
        expect(due + fee).toBe(price);
        expect(Math.min(due, fee)).toBeGreaterThanOrEqual(0);
        if (paid.currency === sent.currency && send <= price) expect(due).toBe(send);
        if (paid.currency !== sent.currency && priceFee <= price) expect(fee).toBe(priceFee);
      }),
    );
  });
});
