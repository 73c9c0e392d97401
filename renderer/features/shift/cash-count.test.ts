import { describe, expect, it } from "vitest";
import { NO_CASH, readCash } from "./cash-count.ts";

describe("readCash", () => {
  const counted = (quantities: Record<number, string>) =>
    readCash({ ...NO_CASH, byNotes: true, quantities }, 100);

  it("returns no amount before an entry, and requires a 0 for an empty drawer", () => {
    expect(counted({})).toEqual({ amount: undefined, count: undefined });
    expect(counted({ 5000: "", 100: "" }).amount).toBeUndefined();
    expect(counted({ 5000: "0" })).toEqual({ amount: 0, count: [] });
  });

  it("adds up the quantities", () => {
    expect(counted({ 5000: "2", 100: "3", 50: "" })).toEqual({
      amount: 10_300,
      count: [
        { denomination: 100, quantity: 3 },
        { denomination: 5000, quantity: 2 },
      ],
    });
  });
});
