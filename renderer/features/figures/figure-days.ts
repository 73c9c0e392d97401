import { type DayClock, dateOf } from "../../../server/contract/pos/shop-day.ts";

const DAY_MS = 86_400_000;

export const DAY_PRESETS = [
  "today",
  "yesterday",
  "this-week",
  "last-week",
  "this-month",
  "last-month",
  "last-30",
] as const;
export type DayPreset = (typeof DAY_PRESETS)[number];

/** First and last day, both inclusive, in the shop's time zone, such as 2026-01-31. */
export interface ShopDays {
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * Returns the days of a preset by the shop's calendar, not by the device's calendar. A week starts
 * on Monday. The current week or month ends today.
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function daysOfPreset(preset: DayPreset, now: number, day: DayClock): ShopDays {
  const today = dateOf(now, day);
  const monday = today - weekdayOf(today);
  switch (preset) {
    case "today":
      return daysFrom(today, today);
    case "yesterday":
      return daysFrom(today - 1, today - 1);
    case "this-week":
      return daysFrom(monday, today);
    case "last-week":
      return daysFrom(monday - 7, monday - 1);
    case "this-month":
      return daysFrom(monthStart(today, 0), today);
    case "last-month":
      return daysFrom(monthStart(today, -1), monthStart(today, 0) - 1);
    case "last-30":
      return daysFrom(today - 29, today);
  }
}

const MOST_DAYS = 1_100;

/** @returns undefined if the days are invalid */
export function readDays(firstDay: string, lastDay: string): ShopDays | undefined {
  const [first, last] = [readDate(firstDay), readDate(lastDay)];
  if (first === undefined || last === undefined) return undefined;
  return first <= last && last - first < MOST_DAYS ? { firstDay, lastDay } : undefined;
}

function daysFrom(first: number, last: number): ShopDays {
  return { firstDay: toText(first), lastDay: toText(last) };
}

function toText(date: number): string {
  return new Date(date * DAY_MS).toISOString().slice(0, 10);
}

function readDate(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00:00.000Z`);
  const isDay = at >= 0 && toText(at / DAY_MS) === text;
  return isDay ? at / DAY_MS : undefined;
}

/** 0 is Monday. Day 0, 1970-01-01, was a Thursday. */
function weekdayOf(date: number): number {
  return (date + 3) % 7;
}

function monthStart(date: number, months: number): number {
  const at = new Date(date * DAY_MS);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1) / DAY_MS;
}
