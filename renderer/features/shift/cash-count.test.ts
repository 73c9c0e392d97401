import { describe, expect, it } from "vitest";
import { NO_CASH, readCash } from "./cash-count.ts";

describe("cash that is counted by notes", () => {
  const counted = (quantities: Record<number, string>) =>
    readCash({ ...NO_CASH, byNotes: true, quantities }, 100);

  it("is nothing yet while none was typed: an empty drawer says so", () => {
    expect(counted({})).toEqual({ amount: undefined, count: undefined });
    expect(counted({ 5000: "", 100: "" }).amount).toBeUndefined();
    expect(counted({ 5000: "0" })).toEqual({ amount: 0, count: [] });
  });

  it("is so many of each", () => {
    expect(counted({ 5000: "2", 100: "3", 50: "" })).toEqual({
      amount: 10_300,
      count: [
        { denomination: 100, quantity: 3 },
        { denomination: 5000, quantity: 2 },
      ],
    });
  });
});
