import { describe, expect, it } from "vitest";
import { dayRelation, formatCountdown, formatDayTime, formatTime } from "./time-format.ts";

describe("time format", () => {
  it("names today, tomorrow and yesterday by the calendar, not by 24-hour distances", () => {
    const zone = "America/Guatemala";
    const now = Date.parse("2026-01-15T23:50:00-06:00");
    expect(dayRelation("2026-01-15T00:05:00-06:00", now, zone)).toBe("today");
    expect(dayRelation("2026-01-16T00:05:00-06:00", now, zone)).toBe("tomorrow");
    expect(dayRelation("2026-01-14T23:59:00-06:00", now, zone)).toBe("yesterday");
    expect(dayRelation("2026-01-18T00:00:00-06:00", now, zone)).toBe("other");
  });

  it("uses the shop's time zone, wherever the screen is", () => {
    const style = { locale: "en-GB", timeZone: "Asia/Kathmandu" };
    expect(formatTime("2026-01-15T09:30:00Z", style)).toBe("15:15");
  });

  it("joins a day and a time in the form of the language", () => {
    const write = (locale: string) =>
      formatDayTime("2026-01-15T14:05:00Z", { locale, timeZone: "UTC" });
    expect(write("en-GB")).toBe("15 Jan, 14:05");
    expect(write("ar-EG-u-nu-latn")).toContain("،");
    expect(write("ar-EG-u-nu-latn")).not.toContain(",");
  });

  it("names the year of a distant day", () => {
    const style = { locale: "en-GB", timeZone: "UTC" };
    const now = Date.parse("2026-11-20T10:00:00Z");
    expect(formatDayTime("2026-02-15T14:05:00Z", style, now)).toBe("15 Feb, 14:05");
    expect(formatDayTime("2025-11-20T14:05:00Z", style, now)).toBe("20 Nov 2025, 14:05");
  });

  it("counts down in minutes and seconds", () => {
    expect(formatCountdown(300_400)).toBe("5:00");
    expect(formatCountdown(61_000)).toBe("1:01");
    expect(formatCountdown(-5)).toBe("0:00");
    expect(formatCountdown(3_600_000)).toBe("60:00");
    expect(formatCountdown(83_099_000)).toBe("23:04:59");
  });
});
