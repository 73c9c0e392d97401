import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCreatedAtFilter } from "./created-at-filter.ts";
import { Problem } from "./problem.ts";

const MOMENT = Date.UTC(2026, 0, 15, 9, 30, 0, 250);

describe("the createdAt filter", () => {
  it.each([
    ["2026-01-15T09:30:00.250Z", "="],
    ["lt2026-01-15T09:30:00.250Z", "<"],
    ["lte2026-01-15T09:30:00.250Z", "<="],
    ["gt2026-01-15T09:30:00.250Z", ">"],
    ["gte2026-01-15T09:30:00.250Z", ">="],
    ["gte2026-01-15T09:30:00.25Z", ">="],
    ["gte2026-01-15T09:30:00.250000000Z", ">="],
  ])("reads %s as a comparison with %s", (text, comparison) => {
    expect(parseCreatedAtFilter(text)).toEqual({ comparison, instant: MOMENT });
  });

  it.each([
    "",
    "gte",
    "2026-01-15",
    "eq2026-01-15T09:30:00Z",
    "2026-02-30T00:00:00Z",
    "2023-02-29T12:00:00Z",
    "2026-01-15T24:00:00Z",
    "2026-01-15T09:30:00+01:00",
    "2026-01-15T09:30:00Z\n",
  ])("refuses %j, and names the field in the error", (text) => {
    let thrown: unknown;
    try {
      parseCreatedAtFilter(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({
      errorCode: "INVALID_REQUEST",
      fields: { createdAt: expect.any(String) },
    });
  });

  it("accepts 29 February of a leap year", () => {
    expect(parseCreatedAtFilter("2024-02-29T00:00:00Z").instant).toBe(Date.UTC(2024, 1, 29));
  });

  it("compares a time in nanoseconds exactly with a stored time in whole milliseconds", () => {
    const nanos = fc.integer({ min: 0, max: 999_999_999 });
    const digits = fc.integer({ min: 1, max: 9 });
    const other = fc.integer({ min: -2, max: 2 });
    fc.assert(
      fc.property(nanos, digits, other, (nanos, digits, other) => {
        const fraction = String(nanos).padStart(9, "0").slice(0, digits);
        const { instant } = parseCreatedAtFilter(`2026-01-15T09:30:00.${fraction}Z`);
        const start = Date.UTC(2026, 0, 15, 9, 30);
        const exact = BigInt(fraction.padEnd(9, "0"));
        const millisecond = Math.floor(instant - start) + other;
        const compared = BigInt(millisecond) * 1_000_000n;
        expect(Math.sign(start + millisecond - instant)).toBe(
          compared < exact ? -1 : Number(compared > exact),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
