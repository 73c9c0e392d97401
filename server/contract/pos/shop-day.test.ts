import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarOf, dateOf, findTimeZone, offsetOf, startOfDate, startOfDay } from "./shop-day.ts";

const ZONES = ["UTC", "America/Guatemala", "Asia/Kathmandu", "Africa/Cairo", "Asia/Beirut"];
const MORE = ["America/Havana", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns"];

function dayIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
}

describe("shop day", () => {
  it.each<[string, string, string, string]>([
    ["at midnight", "America/Guatemala", "2026-11-21T05:59:59Z", "2026-11-20T06:00:00.000Z"],
    [
      "at a midnight that is the given time",
      "America/Guatemala",
      "2026-11-21T06:00:00Z",
      "2026-11-21T06:00:00.000Z",
    ],
    [
      "at midnight in a zone with a quarter-hour offset",
      "Asia/Kathmandu",
      "2026-11-21T00:00:00Z",
      "2026-11-20T18:15:00.000Z",
    ],
    [
      "an hour late if the clocks skip midnight",
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
  ])("starts %s", (_when, zone, at, start) => {
    expect(new Date(startOfDay(Date.parse(at), calendarOf(zone))).toISOString()).toBe(start);
  });

  it("starts at the first moment of its date in every zone and year", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES, ...MORE),
        fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2032, 0) }),
        (zone, at) => {
          const start = startOfDay(at, calendarOf(zone));
          expect(start).toBeLessThanOrEqual(at);
          expect(dayIn(zone, start)).toBe(dayIn(zone, at));
          expect(dayIn(zone, start - 1)).not.toBe(dayIn(zone, at));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each<[string, string, number, number, string]>([
    ["at that time", "America/Guatemala", 240, 20_000, "2024-10-04T10:00:00.000Z"],
    // On 10 March 2024 clocks jump from 02:00 to 03:00.
    ["when the clocks skip that time", "America/New_York", 150, 19_792, "2024-03-10T07:00:00.000Z"],
    // On 3 November 2024 clocks show 01:30 twice.
    ["at the first of two such times", "America/New_York", 90, 20_030, "2024-11-03T05:30:00.000Z"],
  ])("with a start time after midnight, starts %s", (_when, timeZone, dayStartsAt, date, start) => {
    expect(new Date(startOfDate(date, { timeZone, dayStartsAt })).toISOString()).toBe(start);
  });

  it("lasts until the next day starts, so that each moment belongs to exactly one day", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES, ...MORE, "America/New_York", "Europe/Madrid"),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2032, 0) }),
        (timeZone, halfHours, at) => {
          const day = { timeZone, dayStartsAt: halfHours * 30 };
          const shownAt = (moment: number) => moment + offsetOf(moment, timeZone);
          const date = dateOf(at, day);
          const [start, next] = [startOfDate(date, day), startOfDate(date + 1, day)];
          expect(start <= at && at < next).toBe(true);
          expect(dateOf(start, day)).toBe(date);
          expect(dateOf(start - 1, day)).toBeLessThan(date);
          const begins = date * 86_400_000 + day.dayStartsAt * 60_000;
          expect(shownAt(start)).toBeGreaterThanOrEqual(begins);
          expect(shownAt(start - 1000)).toBeLessThan(begins);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it("uses only time zones that exist, by their canonical names", () => {
    expect(findTimeZone("america/guatemala")).toBe("America/Guatemala");
    for (const none of ["Guatemala", "America/Nowhere", "", "UTC; drop table"]) {
      expect(findTimeZone(none)).toBeUndefined();
    }
  });
});
