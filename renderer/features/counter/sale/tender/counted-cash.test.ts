import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCash, isAbsurdCash, quickNotes } from "./counted-cash.ts";

describe("quickNotes", () => {
  it("proposes the smallest notes that cover the total, and the nearest sums of smaller notes", () => {
    expect(quickNotes(2079, "GTQ", 100)).toEqual([2500, 5000, 10_000]);
    expect(quickNotes(1000, "USD", 100)).toEqual([2000, 5000, 10_000]);
    expect(quickNotes(20_792, "MXN", 100)).toEqual([22_000, 50_000, 100_000]);
    expect(quickNotes(18_035, "BRL", 100)).toEqual([18_200, 18_500, 20_000]);
    expect(quickNotes(23_500, "COP", 1)).toEqual([24_000, 50_000, 100_000]);
  });

  it("proposes nothing for a total of zero", () => {
    expect(quickNotes(0, "USD", 100)).toEqual([]);
  });

  it("proposes distinct amounts above the total, smallest first", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom("GTQ", "USD", "XOF", "KWD", "ISK"),
        fc.constantFrom(1, 100, 1000),
        (total, currency, divisor) => {
          const notes = quickNotes(total, currency, divisor);
          expect(notes).toEqual([...new Set(notes)].sort((a, b) => a - b));
          expect(notes.every((note) => note > total)).toBe(true);
          expect(notes.length).toBeLessThanOrEqual(3);
        },
      ),
    );
  });
});

describe("countCash", () => {
  it("assumes the exact amount if nothing is typed", () => {
    expect(countCash("", 5200, "GTQ", 100)).toMatchObject({
      tendered: 5200,
      change: 0,
      missing: 0,
      isEnough: true,
    });
  });

  it("computes the change or the missing amount", () => {
    expect(countCash("100", 5200, "GTQ", 100)).toMatchObject({
      tendered: 10_000,
      change: 4800,
      missing: 0,
    });
    expect(countCash("50", 5200, "GTQ", 100)).toMatchObject({
      tendered: 5000,
      change: 0,
      missing: 200,
    });
    expect(countCash("5.5.5", 5200, "GTQ", 100).tendered).toBeUndefined();
  });
});

describe("plausibility check of cash", () => {
  it("rejects a phone number typed as cash", () => {
    expect(countCash("502412345", 543, "GTQ", 100)).toMatchObject({
      isAbsurd: true,
      isEnough: false,
    });
    expect(isAbsurdCash(51_234_567_00, 500_00, "GTQ", 100)).toBe(true);
    expect(isAbsurdCash(80_512_345, 990, "JPY", 1)).toBe(true);
    expect(isAbsurdCash(96_512_345_000, 7500, "KWD", 1000)).toBe(true);
  });

  it("accepts the largest note for the smallest price", () => {
    expect(isAbsurdCash(200_00, 1_00, "GTQ", 100)).toBe(false);
    expect(isAbsurdCash(10_000, 50, "JPY", 1)).toBe(false);
    expect(isAbsurdCash(20_000, 150, "KWD", 1000)).toBe(false);
    expect(countCash("200", 105, "GTQ", 100)).toMatchObject({ isAbsurd: false, isEnough: true });
  });

  it("accepts many notes for a large price", () => {
    expect(isAbsurdCash(5_000_00, 4_321_50, "GTQ", 100)).toBe(false);
  });
});
