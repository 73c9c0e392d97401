import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarOf } from "../../../contract/pos/shop-day.ts";
import { SCHEDULE_TIMES } from "../../../contract/pos/shop-reports.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { dueSpan, nextMoment, toInstant } from "./schedule-service.ts";

const parseDate = (text: string) => Date.parse(`${text}T00:00:00Z`) / DAY;
const formatDate = (date: number) => new Date(date * DAY).toISOString().slice(0, 10);
const findDueDays = (
  when: (typeof SCHEDULE_TIMES)[number],
  at: string,
  now: string,
  zone = "UTC",
) => {
  const { first, last } = dueSpan({ when, at }, Date.parse(now), calendarOf(zone));
  return [formatDate(first), formatDate(last)];
};

describe("the due period", () => {
  it("a daily schedule is due for the previous day, at the schedule's time", () => {
    expect(findDueDays("DAILY", "07:00", "2026-03-02T06:59:00Z")).toEqual([
      "2026-02-28",
      "2026-02-28",
    ]);
    expect(findDueDays("DAILY", "07:00", "2026-03-02T07:00:00Z")).toEqual([
      "2026-03-01",
      "2026-03-01",
    ]);
  });

  it("a weekly schedule is due for Monday to Sunday, on the next Monday", () => {
    // 2026-03-02 is a Monday.
    expect(findDueDays("WEEKLY", "07:00", "2026-03-02T06:00:00Z")).toEqual([
      "2026-02-16",
      "2026-02-22",
    ]);
    expect(findDueDays("WEEKLY", "07:00", "2026-03-02T08:00:00Z")).toEqual([
      "2026-02-23",
      "2026-03-01",
    ]);
    expect(findDueDays("WEEKLY", "07:00", "2026-03-08T23:00:00Z")).toEqual([
      "2026-02-23",
      "2026-03-01",
    ]);
  });

  it("a monthly schedule is due for the previous month, on the first of the month", () => {
    expect(findDueDays("MONTHLY", "07:00", "2026-03-01T06:00:00Z")).toEqual([
      "2026-01-01",
      "2026-01-31",
    ]);
    expect(findDueDays("MONTHLY", "07:00", "2026-03-01T07:00:00Z")).toEqual([
      "2026-02-01",
      "2026-02-28",
    ]);
  });

  it("an end-of-day schedule is due for the day that ended, even after midnight", () => {
    expect(findDueDays("AFTER_LAST_Z", "22:30", "2026-03-02T22:30:00Z")[0]).toBe("2026-03-02");
    expect(findDueDays("AFTER_LAST_Z", "02:00", "2026-03-03T02:00:00Z")[0]).toBe("2026-03-02");
  });
});

it("a skipped local time is moved forward, and a repeated local time counts once", () => {
  const at = (text: string, time: string) =>
    new Date(toInstant(parseDate(text), time, "America/New_York")).toISOString();
  expect(at("2026-03-08", "02:30")).toBe("2026-03-08T07:30:00.000Z");
  expect(at("2026-03-08", "03:30")).toBe("2026-03-08T07:30:00.000Z");
  expect(at("2026-11-01", "22:00")).toBe("2026-11-02T03:00:00.000Z");
});

it("the next sending time is the first instant at which a new period becomes due, in any zone", () => {
  const zones = ["UTC", "America/New_York", "Europe/Madrid", "Asia/Kathmandu", "Pacific/Apia"];
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));
  fc.assert(
    fc.property(
      fc.constantFrom(...SCHEDULE_TIMES),
      time,
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 12 }),
      (when, at, now, timeZone, halfHours) => {
        const zone = { timeZone, dayStartsAt: halfHours * 30 };
        const times = { when, at };
        const next = nextMoment(times, now, zone);
        const { last } = dueSpan(times, now, zone);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThan(32 * DAY + 2 * HOUR);
        expect(dueSpan(times, next, zone).last).toBeGreaterThan(last);
        expect(dueSpan(times, next - 1, zone).last).toBe(last);
      },
    ),
    { numRuns: 300 },
  );
});

it("a day that starts at 04:00 ends at 04:00, and is reported at the next sending time", () => {
  const day = { timeZone: "UTC", dayStartsAt: 240 };
  const dueAt = (now: string, at: string) =>
    formatDate(dueSpan({ when: "DAILY", at }, Date.parse(now), day).last);
  expect(dueAt("2026-03-10T03:30:00Z", "03:00")).toBe("2026-03-08");
  expect(dueAt("2026-03-10T04:30:00Z", "04:15")).toBe("2026-03-09");
  expect(nextMoment({ when: "DAILY", at: "04:15" }, Date.parse("2026-03-10T04:00:00Z"), day)).toBe(
    Date.parse("2026-03-10T04:15:00Z"),
  );
});
