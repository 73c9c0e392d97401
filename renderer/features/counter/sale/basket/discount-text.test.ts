import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discountText, readDiscount } from "./discount-text.ts";

describe("discount input", () => {
  it("reads an amount or a percentage of the price", () => {
    expect(readDiscount("5", 5200, 100)).toBe(500);
    expect(readDiscount("10%", 5255, 100)).toBe(525);
    expect(readDiscount("2.5%", 5200, 100)).toBe(130);
    expect(readDiscount("", 5200, 100)).toBe(0);
  });

  it("rejects a discount above the price", () => {
    expect(readDiscount("52.01", 5200, 100)).toBeUndefined();
    expect(readDiscount("101%", 5200, 100)).toBeUndefined();
    expect(readDiscount(discountText("150%", 100), 5200, 100)).toBeUndefined();
    expect(readDiscount(discountText("12.555%", 100), 5200, 100)).toBeUndefined();
  });

  it("keeps the decimals of a percentage although the currency has none", () => {
    const typed = "12.5%".split("").reduce((text, key) => discountText(text + key, 1), "");
    expect(readDiscount(typed, 1000, 1)).toBe(125);
    expect(readDiscount(discountText("12,25 %", 100), 10_000, 100)).toBe(1225);
  });

  it("moves a leading percent sign to the end, and reads any text as a valid discount or none", () => {
    expect(discountText("%10", 100)).toBe("10%");
    expect(discountText("%", 100)).toBe("");
    fc.assert(
      fc.property(fc.string(), fc.nat(1_000_000), (typed, price) => {
        const discount = readDiscount(discountText(typed, 100), price, 100);
        expect(discount === undefined || (discount >= 0 && discount <= price)).toBe(true);
      }),
    );
  });
});
