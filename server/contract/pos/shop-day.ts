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

/** The zone's name as it is written everywhere, or undefined when there is no such zone. */
export function findTimeZone(name: string): TimeZone | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The zone of the machine that this runs on. */
export function machineTimeZone(): TimeZone {
  return new Intl.DateTimeFormat("en").resolvedOptions().timeZone;
}

/**
 * The first moment of the day that `at` falls on in a time zone. That is midnight, or later where
 * the clocks are put forward at midnight, and the earlier one where midnight comes twice.
 * @param at milliseconds since 1970-01-01T00:00:00Z
 */
export function startOfDay(at: number, timeZone: TimeZone): number {
  return startOfDate(dateOf(at, timeZone), timeZone);
}

/** The day that the clocks of a zone show at a moment, as days since 1970-01-01. */
export function dateOf(at: number, timeZone: TimeZone): number {
  return Math.floor(localTime(timeZone)(at) / DAY_MS);
}

/**
 * The first moment of a day, as `startOfDay`; of a day that a zone leaves out, that of the next.
 * @param date days since 1970-01-01
 */
export function startOfDate(date: number, timeZone: TimeZone): number {
  const clock = localTime(timeZone);
  const midnight = date * DAY_MS;
  // The zone's distance from UTC a day before and a day after: one of them holds at midnight.
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map(
    (near) => midnight - (clock(near) - near),
  );
  const [first = midnight, second = midnight] = candidates;
  return first === second
    ? first
    : Math.min(...candidates.filter((moment) => clock(moment) >= midnight));
}

/** How far the clocks of a zone are from UTC at a moment, in milliseconds. */
export function offsetOf(at: number, timeZone: TimeZone): number {
  return localTime(timeZone)(at) - Math.floor(at / 1000) * 1000;
}

/** Formats by zone: making one takes longer than using it. */
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

/** What the clocks of a zone show at a moment, as if it were UTC; whole seconds. */
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
