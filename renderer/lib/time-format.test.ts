import { describe, expect, it } from "vitest";
import { dayRelation, formatCountdown, startOfDay } from "./time-format.ts";

describe("time format", () => {
  it("says today, tomorrow and yesterday by the calendar, not by 24 hours", () => {
    const now = new Date(2026, 0, 15, 23, 50).getTime();
    expect(dayRelation(new Date(2026, 0, 15, 0, 5).getTime(), now)).toBe("today");
    expect(dayRelation(new Date(2026, 0, 16, 0, 5).getTime(), now)).toBe("tomorrow");
    expect(dayRelation(new Date(2026, 0, 14, 23, 59).getTime(), now)).toBe("yesterday");
    expect(dayRelation(new Date(2026, 0, 18).getTime(), now)).toBe("other");
  });

  it("starts the day at midnight here", () => {
    expect(startOfDay(new Date(2026, 5, 3, 17, 4))).toBe(new Date(2026, 5, 3).getTime());
  });

  it("counts down in minutes and seconds", () => {
    expect(formatCountdown(300_400)).toBe("5:00");
    expect(formatCountdown(61_000)).toBe("1:01");
    expect(formatCountdown(-5)).toBe("0:00");
  });
});
