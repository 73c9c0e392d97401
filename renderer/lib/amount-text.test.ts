import { assert, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { amountText } from "./amount-text.ts";
import { parseAmount, toDecimal } from "./money.ts";

/**
 * Types a text key by key into a field that shows the previous keys with the locale's decimal sign.
 */
function typeByKeys(text: string, digits: number, sign = "."): string {
  return [...text].reduce((typed, key) => amountText(typed.replace(".", sign) + key, digits), "");
}

/** Returns the field's text after typing with each decimal sign, and after pasting. */
const bothWays = (text: string, digits: number) => [
  typeByKeys(text, digits),
  typeByKeys(text, digits, ","),
  amountText(text, digits),
];

const same = (text: string) => [text, text, text];

describe("a typed amount", () => {
  it.each([
    ["1,500.50", 2, "1500.50"],
    ["1.500,50", 2, "1500.50"],
    ["1.500.50", 2, "1500.50"],
    ["1,234,567.89", 2, "1234567.89"],
    ["1.234.567,89", 2, "1234567.89"],
    ["1 234 567,89", 2, "1234567.89"],
    ["12,34,567.89", 2, "1234567.89"],
    ["1,000.00", 2, "1000.00"],
    ["1.500", 2, "1500"],
    ["12.5", 2, "12.5"],
    ["12,50", 2, "12.50"],
    [".5", 2, "0.5"],
    ["12..5", 2, "12.5"],
    ["١٬٥٠٠٫٥٠", 2, "1500.50"],
    ["1,500", 0, "1500"],
    ["1.234.567", 0, "1234567"],
    ["1.500", 3, "1.500"],
    ["1.5000", 3, "15000"],
    ["1,234,567.890", 3, "1234567.890"],
  ])("reads as an amount: %s in a currency with %i decimals", (text, digits, expected) => {
    expect(bothWays(text, digits)).toEqual(same(expected));
  });

  it("accepts group separators in a pasted amount, even if a single group could be decimals", () => {
    expect(amountText("1,234,567", 3)).toBe("1234567");
  });

  it("remains visible, and is not parsed, if the text is no amount", () => {
    for (const [text, digits] of [
      ["0.505", 2],
      ["12.5", 0],
      ["1500.00", 0],
      ["12.50", 1],
    ] as const) {
      expect(bothWays(text, digits), text).toEqual(same(text));
      expect(parseAmount(text, 10 ** digits), text).toBeUndefined();
    }
  });

  it("accepts at most twelve digits before the point, and never moves the point", () => {
    expect(bothWays("1234567890123", 2)).toEqual(same("123456789012"));
    expect(bothWays("123456789012.345", 2)).toEqual(same("123456789012.34"));
  });
});

const GROUPS = ["", ",", ".", " ", "’"] as const;
const thousands = (whole: string, sign: string) => whole.replace(/\B(?=(\d{3})+$)/g, sign);

describe("an amount in any notation", () => {
  it("has the intended value", () => {
    const ways = tuple(constantFrom(...GROUPS), constantFrom(".", ","), constantFrom(0, 2, 3));
    assert(
      property(integer({ min: 0, max: 999_999_999_999 }), ways, (minor, [group, point, digits]) => {
        const divisor = 10 ** digits;
        const [whole = "", rest] = toDecimal(minor, divisor).split(".");
        const text = thousands(whole, group) + (rest === undefined ? "" : point + rest);
        // No notation has one sign for both groups and decimals: with three decimals, the two could
        // not be distinguished.
        if (group === point) {
          return;
        }
        for (const read of bothWays(text, digits)) {
          expect(parseAmount(read, divisor), `${text} with ${digits} digits`).toBe(minor);
        }
      }),
    );
  });
});
