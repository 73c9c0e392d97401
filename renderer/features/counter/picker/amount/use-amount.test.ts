import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RangeOffer, readAmount } from "./use-amount.ts";

const offer = {
  offerId: "TANY",
  price: { currency: "GTQ", currencyDivisor: 100, min: 1532, max: 30_640, increment: 192, fee: 0 },
  send: { currency: "GTQ", currencyDivisor: 100, min: 1500, max: 30_000 },
} as RangeOffer;

describe("amount input", () => {
  it("quotes a typed delivered amount without a change", () => {
    expect(readAmount(offer, "ZEND", "33")).toEqual({
      input: { offerId: "TANY", value: { type: "ZEND", value: 3300 } },
      stepped: undefined,
    });
  });

  it("rounds a price between two steps down and reports the rounding", () => {
    expect(readAmount(offer, "PRICE", "40")).toEqual({
      input: { offerId: "TANY", value: { type: "PRICE", value: 3836 } },
      stepped: 3836,
    });
    expect(readAmount(offer, "PRICE", "38.36").stepped).toBeUndefined();
  });

  it("quotes no amount outside the offer's limits", () => {
    for (const text of ["", "14.99", "300.01", "abc"]) {
      expect(readAmount(offer, "ZEND", text).input, text).toBeUndefined();
    }
  });

  it("quotes only allowed prices, and never more than the typed price", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), (minor) => {
        const { input } = readAmount(offer, "PRICE", (minor / 100).toFixed(2));
        const value = input?.value?.value ?? 1532;
        expect((value - 1532) % 192).toBe(0);
        expect(value).toBeLessThanOrEqual(Math.max(minor, 1532));
        expect(value).toBeLessThanOrEqual(30_640);
      }),
    );
  });
});
