import { calendarOf, startOfDay } from "../../server/contract/pos/shop-day.ts";

const DAY_MS = 86_400_000;

interface TimeStyle {
  readonly locale: string;
  readonly timeZone: string;
}

/** Formats "14:05" in the locale. */
export function formatTime(timestamp: string | number, style: TimeStyle): string {
  return write(timestamp, style, { hour: "numeric", minute: "2-digit" });
}

/** Formats "14:05:31", for confirmations. */
export function formatTimeExact(timestamp: string | number, style: TimeStyle): string {
  return write(timestamp, style, { hour: "numeric", minute: "2-digit", second: "2-digit" });
}

/** Formats "20 Nov" without the year, because the till shows recent days. */
export function formatDay(timestamp: string | number, style: TimeStyle): string {
  return write(timestamp, style, { day: "numeric", month: "short" });
}

/** Formats "20 Nov 2026", for dates of any year. */
export function formatDate(timestamp: string | number, style: TimeStyle): string {
  return write(timestamp, style, { day: "numeric", month: "short", year: "numeric" });
}

/** Formats an age in days of the shop: "today", "3 days ago". */
export function formatAge(
  timestamp: string | number,
  now: number,
  { locale, timeZone }: TimeStyle,
): string {
  const day = startOfDay(new Date(timestamp).getTime(), calendarOf(timeZone));
  const days = Math.round((day - startOfDay(now, calendarOf(timeZone))) / DAY_MS);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
}

/** Distance from now beyond which a day is shown with its year. */
const NEAR_MS = 300 * DAY_MS;

/** Formats "20 Nov, 14:05" in the locale; a distant day with its year. */
export function formatDayTime(
  timestamp: string | number,
  style: TimeStyle,
  now: number = new Date(timestamp).getTime(),
): string {
  const isFar = Math.abs(now - new Date(timestamp).getTime()) > NEAR_MS;
  return write(timestamp, style, {
    ...(isFar && { year: "numeric" }),
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  });
}

/** Formats "Thursday 20 November", the heading of a day's list. */
export function formatDayLong(timestamp: string | number, style: TimeStyle): string {
  return write(timestamp, style, { weekday: "long", day: "numeric", month: "long" });
}

function write(
  timestamp: string | number,
  { locale, timeZone }: TimeStyle,
  parts: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone }).format(new Date(timestamp));
}

type DayRelation = "today" | "tomorrow" | "yesterday" | "other";

export function dayRelation(
  timestamp: string | number,
  now: number,
  timeZone: string,
): DayRelation {
  const day = startOfDay(new Date(timestamp).getTime(), calendarOf(timeZone));
  const days = Math.round((day - startOfDay(now, calendarOf(timeZone))) / DAY_MS);
  if (days === 0) {
    return "today";
  }
  if (days === 1) {
    return "tomorrow";
  }
  return days === -1 ? "yesterday" : "other";
}

/** Formats a countdown as "4:59" or "23:04:59"; never negative. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.round(remainingMs / 1000));
  const minutes = Math.floor(seconds / 60);
  const ofMinute = String(seconds % 60).padStart(2, "0");
  if (minutes < 100) {
    return `${minutes}:${ofMinute}`;
  }
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${ofMinute}`;
}

const MINUTE_MS = 60_000;

/** Formats minutes after midnight as "04:30". */
export function timeOfDay(minutes: number): string {
  return new Date(minutes * MINUTE_MS).toISOString().slice(11, 16);
}
