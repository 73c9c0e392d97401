import { describe, expect, it } from "vitest";
import { calendarOf } from "../../../server/contract/pos/shop-day.ts";
import { type DayPreset, daysOfPreset, readDays } from "./figure-days.ts";

function daysAt(preset: DayPreset, moment: string, timeZone: string): string {
  const { firstDay, lastDay } = daysOfPreset(preset, Date.parse(moment), calendarOf(timeZone));
  return `${firstDay}..${lastDay}`;
}

describe("daysOfPreset", () => {
  it.each<[DayPreset, string]>([
    ["today", "2026-01-01..2026-01-01"],
    ["yesterday", "2025-12-31..2025-12-31"],
    ["this-week", "2025-12-29..2026-01-01"],
    ["last-week", "2025-12-22..2025-12-28"],
    ["this-month", "2026-01-01..2026-01-01"],
    ["last-month", "2025-12-01..2025-12-31"],
    ["last-30", "2025-12-03..2026-01-01"],
  ])(
    "returns the days of %s at the turn of the year, in a zone where the next year has started",
    (preset, days) => {
      expect(daysAt(preset, "2025-12-31T20:00:00Z", "Asia/Tokyo")).toBe(days);
    },
  );

  it("returns days of the old year in a zone in which the new year has not started", () => {
    expect(daysAt("this-month", "2026-01-01T04:59:59Z", "America/New_York")).toBe(
      "2025-12-01..2025-12-31",
    );
  });

  it.each([
    // Minutes around the start and end of a 23-hour day, and around the end of a 25-hour day.
    ["2026-03-30T03:59:00Z", "America/New_York", "2026-03-29..2026-03-29"],
    ["2026-03-08T04:59:00Z", "America/New_York", "2026-03-07..2026-03-07"],
    ["2026-03-09T03:59:00Z", "America/New_York", "2026-03-08..2026-03-08"],
    ["2026-03-09T04:00:00Z", "America/New_York", "2026-03-09..2026-03-09"],
    ["2026-11-02T04:59:00Z", "America/New_York", "2026-11-01..2026-11-01"],
    ["2026-11-02T05:00:00Z", "America/New_York", "2026-11-02..2026-11-02"],
  ])("returns today at %s in %s, where the clocks change, as %s", (moment, zone, days) => {
    expect(daysAt("today", moment, zone)).toBe(days);
  });

  it("returns seven days for last week, even across a clock change", () => {
    const days = daysOfPreset(
      "last-week",
      Date.parse("2026-11-04T12:00:00Z"),
      calendarOf("America/New_York"),
    );
    expect(days).toEqual({ firstDay: "2026-10-26", lastDay: "2026-11-01" });
  });

  it("includes a leap day at the end of last month", () => {
    expect(daysAt("last-month", "2028-03-15T12:00:00Z", "UTC")).toBe("2028-02-01..2028-02-29");
  });
});

it.each([
  ["2026-02-30", "2026-03-01"],
  ["2026-03-02", "2026-03-01"],
  ["2020-01-01", "2026-01-01"],
  ["", "2026-01-01"],
  ["01/02/2026", "2026-03-01"],
])("%s to %s is not a valid period", (first, last) => {
  expect(readDays(first, last)).toBeUndefined();
});
