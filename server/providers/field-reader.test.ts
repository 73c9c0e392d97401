import { describe, expect, it } from "vitest";
import { FieldReader } from "./field-reader.ts";

describe("FieldReader", () => {
  it.each([
    ["5.00", 500],
    ["5", 500],
    ["10.5", 1050],
    [10.5, 1050],
    [0.07, 7],
    ["5.001", undefined],
    ["5,00", undefined],
    ["-5.00", undefined],
    [-5, undefined],
    ["1e3", undefined],
    [Number.NaN, undefined],
    ["99999999999999999", undefined],
    [true, undefined],
  ])("reads the decimal %s as %s minor units", (amount, expected) => {
    const reader = new FieldReader({ amount });
    expect(reader.decimal("amount", 100)).toBe(expected);
    const unreadable = { field: "amount", kind: "UNREADABLE", needed: true };
    expect(reader.deviations).toEqual(expected === undefined ? [unreadable] : []);
  });

  it("notes a missing decimal by its importance", () => {
    const reader = new FieldReader({ amount: " " });
    expect(reader.decimal("amount", 100)).toBeUndefined();
    expect(reader.deviations).toEqual([]);
    expect(reader.decimal("amount", 100, "needed")).toBeUndefined();
    expect(reader.deviations).toEqual([{ field: "amount", kind: "MISSING", needed: true }]);
  });
});
