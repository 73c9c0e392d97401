import { type Static, Type } from "typebox";

/** A time zone by its IANA name, such as America/Guatemala. */
export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "a time zone such as America/Guatemala",
  examples: ["America/Guatemala"],
});
export type TimeZone = Static<typeof TimeZone>;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Returns the canonical name of a time zone; undefined if the zone does not exist. */
export function findTimeZone(name: string): TimeZone | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export function machineTimeZone(): TimeZone {
  return new Intl.DateTimeFormat("en").resolvedOptions().timeZone;
}

/** Latest start of a shop's day, in minutes after midnight. Days start at whole or half hours. */
export const LATEST_DAY_START = 360;
export const DAY_START_STEP = 30;

/** Start of a shop's day in minutes after midnight, for shops that are open past midnight. */
export const DayStart = Type.Integer({
  minimum: 0,
  maximum: LATEST_DAY_START,
  multipleOf: DAY_START_STEP,
  description:
    "a number of minutes after midnight, from 0 to 360 in steps of 30: when the shop's day begins",
});

export interface DayClock {
  readonly timeZone: TimeZone;
  /** Minutes after midnight. */
  readonly dayStartsAt: number;
}

export function calendarOf(timeZone: TimeZone): DayClock {
  return { timeZone, dayStartsAt: 0 };
}

/**
 * Returns the start of the day that contains a moment; see `startOfDate`.
 * @param at milliseconds since 1970-01-01T00:00:00Z
 */
export function startOfDay(at: number, day: DayClock): number {
  return startOfDate(dateOf(at, day), day);
}

/**
 * Returns the shop day that contains a moment, as days since 1970-01-01. A day lasts until the next
 * day starts (rules#figure-days).
 */
export function dateOf(at: number, day: DayClock): number {
  const shown = localTime(day.timeZone)(at);
  const date = Math.floor((shown - day.dayStartsAt * MINUTE_MS) / DAY_MS);
  // If clocks are set back across the start of a day, that day has nevertheless started.
  return at >= startOfDate(date + 1, day) ? date + 1 : date;
}

/**
 * Returns the moment at which the local clocks show the date and the start time of the day. If the
 * clocks skip that time, returns the next moment; if they show it twice, the first. For a date that
 * a zone skips, returns the first moment after it.
 * @param date days since 1970-01-01
 */
export function startOfDate(date: number, { timeZone, dayStartsAt }: DayClock): number {
  const clock = localTime(timeZone);
  const shown = date * DAY_MS + dayStartsAt * MINUTE_MS;
  // Applies the zone's offset of a day earlier, and of a day later: one of the two is right.
  const [first, second] = [-DAY_MS, DAY_MS].map(
    (near) => shown + near - clock(shown + near) + shown,
  );
  if (first === undefined || second === undefined || first === second) return first ?? shown;
  const start = Math.min(...[first, second].filter((moment) => clock(moment) >= shown));
  return clock(start) === shown
    ? start
    : firstShowing(shown, { before: Math.min(first, second), start, clock });
}

/** Returns the moment of the clock change that skips the local time `shown`. */
function firstShowing(
  shown: number,
  { before, start, clock }: { before: number; start: number; clock: (at: number) => number },
): number {
  let [early, late] = [before, start];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (clock(middle) < shown) early = middle;
    else late = middle;
  }
  return late;
}

/** Returns the offset of a time zone from UTC at a moment, in milliseconds. */
export function offsetOf(at: number, timeZone: TimeZone): number {
  return localTime(timeZone)(at) - Math.floor(at / 1000) * 1000;
}

/** Formatters by zone: creating a formatter takes longer than using it. */
const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function formatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}

/**
 * Returns a function that returns a zone's local time in whole seconds, encoded as if it were UTC.
 */
function localTime(timeZone: TimeZone): (at: number) => number {
  const format = formatOf(timeZone);
  return (at) => {
    const parts = format.formatToParts(at);
    const read = (type: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find((part) => part.type === type)?.value);
    return Date.UTC(
      read("year"),
      read("month") - 1,
      read("day"),
      read("hour"),
      read("minute"),
      read("second"),
    );
  };
}
