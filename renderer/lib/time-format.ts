const DAY_MS = 86_400_000;

/** "14:05", or as the locale writes it. */
export function formatTime(timestamp: string | number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }).format(
    new Date(timestamp),
  );
}

/** "14:05:31": when something was confirmed. */
export function formatTimeExact(timestamp: string | number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
  }).format(new Date(timestamp));
}

/** "20 Nov", without the year: the till looks at days, not at years. */
export function formatDay(timestamp: string | number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(
    new Date(timestamp),
  );
}

/** "Thursday 20 November": the head of a day's list. */
export function formatDayLong(timestamp: string | number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: "long",
    day: "numeric",
    month: "long",
  }).format(new Date(timestamp));
}

export type DayRelation = "today" | "tomorrow" | "yesterday" | "other";

/** Which day a moment falls on, seen from `now`, in the till's own time zone. */
export function dayRelation(timestamp: string | number, now: number): DayRelation {
  const days = Math.round((startOfDay(new Date(timestamp)) - startOfDay(new Date(now))) / DAY_MS);
  if (days === 0) {
    return "today";
  }
  if (days === 1) {
    return "tomorrow";
  }
  return days === -1 ? "yesterday" : "other";
}

/** Midnight before a moment, in the till's own time zone. */
export function startOfDay(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}

/** "4:59", counting down; never below zero. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.round(remainingMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
