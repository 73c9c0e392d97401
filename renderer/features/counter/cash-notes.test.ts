import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCash, quickNotes } from "./cash-notes.ts";

describe("cash notes", () => {
  it("rounds the total up to each note people have", () => {
    expect(quickNotes(5200, "GTQ", 100)).toEqual([5500, 6000, 10_000, 20_000]);
    expect(quickNotes(1000, "USD", 100)).toEqual([2000, 5000, 10_000]);
    expect(quickNotes(23_500, "COP", 1)).toEqual([24_000, 25_000, 30_000, 40_000, 50_000]);
  });

  it("offers nothing for nothing", () => {
    expect(quickNotes(0, "USD", 100)).toEqual([]);
  });

  it("always offers more than the total, each once, smallest first", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom("GTQ", "USD", "XOF", "KWD", "ISK"),
        fc.constantFrom(1, 100, 1000),
        (total, currency, divisor) => {
          const notes = quickNotes(total, currency, divisor);
          expect(notes).toEqual([...new Set(notes)].sort((a, b) => a - b));
          expect(notes.every((note) => note > total)).toBe(true);
          expect(notes.length).toBeLessThanOrEqual(5);
        },
      ),
    );
  });
});

describe("counted cash", () => {
  it("is exact when nothing was typed", () => {
    expect(countCash("", 5200, 100)).toEqual({ tendered: 5200, change: 0, missing: 0 });
  });

  it("gives change, or says what is missing", () => {
    expect(countCash("100", 5200, 100)).toEqual({ tendered: 10_000, change: 4800, missing: 0 });
    expect(countCash("50", 5200, 100)).toEqual({ tendered: 5000, change: 0, missing: 200 });
    expect(countCash("5.5.5", 5200, 100).tendered).toBeUndefined();
  });
});
