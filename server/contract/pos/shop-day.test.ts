import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTimeZone, startOfDay } from "./shop-day.ts";

const ZONES = ["UTC", "America/Guatemala", "Asia/Kathmandu", "Africa/Cairo", "Asia/Beirut"];
const MORE = ["America/Havana", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns"];

function dayIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
}

describe("a shop's day", () => {
  it.each<[string, string, string, string]>([
    ["at midnight", "America/Guatemala", "2026-11-21T05:59:59Z", "2026-11-20T06:00:00.000Z"],
    [
      "and not a second before",
      "America/Guatemala",
      "2026-11-21T06:00:00Z",
      "2026-11-21T06:00:00.000Z",
    ],
    ["in a zone of quarters", "Asia/Kathmandu", "2026-11-21T00:00:00Z", "2026-11-20T18:15:00.000Z"],
    [
      "an hour late when midnight is left out",
      "Asia/Beirut",
      "2025-03-30T12:00:00Z",
      "2025-03-29T22:00:00.000Z",
    ],
    [
      "at the first of two midnights",
      "America/Havana",
      "2025-11-02T12:00:00Z",
      "2025-11-02T04:00:00.000Z",
    ],
  ])("begins %s", (_when, zone, at, start) => {
    expect(new Date(startOfDay(Date.parse(at), zone)).toISOString()).toBe(start);
  });

  it("begins with the first moment of its date, everywhere and always", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES, ...MORE),
        fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2032, 0) }),
        (zone, at) => {
          const start = startOfDay(at, zone);
          expect(start).toBeLessThanOrEqual(at);
          expect(dayIn(zone, start)).toBe(dayIn(zone, at));
          expect(dayIn(zone, start - 1)).not.toBe(dayIn(zone, at));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is of a zone that exists, under the name it has everywhere", () => {
    expect(findTimeZone("america/guatemala")).toBe("America/Guatemala");
    for (const none of ["Guatemala", "America/Nowhere", "", "UTC; drop table"]) {
      expect(findTimeZone(none)).toBeUndefined();
    }
  });
});
