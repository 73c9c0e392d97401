import {
  calendarOf,
  type DayClock,
  dateOf,
  offsetOf,
  type TimeZone,
} from "../../contract/pos/shop-day.ts";
import type { ScheduleInput } from "../../contract/pos/shop-reports.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";

type Times = Pick<ScheduleInput, "when" | "at">;

/** Days of the shop, both included, as days since 1970-01-01. */
export interface DaySpan {
  first: number;
  last: number;
}

/** A time before this is of the day before, for shops that are open past midnight. */
const EARLY = "06:00";
const MONDAY_OFFSET = 3;

/**
 * The moment at which the shop's clocks show a time of a day: the first where they show it twice, and as
 * much later where they skip it.
 */
export function momentOf(date: number, time: string, timeZone: TimeZone): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const shown = date * DAY + (hours * 60 + minutes) * MINUTE;
  const moments = [-DAY, DAY].map((near) => shown - offsetOf(shown + near, timeZone));
  const right = moments.filter((moment) => moment + offsetOf(moment, timeZone) === shown);
  return right.length > 0 ? Math.min(...right) : Math.max(...moments);
}

/** The latest span whose report is due by a moment; of AFTER_LAST_Z the day whose last time has come. */
export function dueSpan({ when, at }: Times, now: number, day: DayClock): DaySpan {
  const today = dateOf(now, calendarOf(day.timeZone));
  const shown = momentOf(today, at, day.timeZone) <= now ? today : today - 1;
  // The day of the shop then: what is over is before it.
  const date = dateOf(momentOf(shown, at, day.timeZone), day);
  switch (when) {
    case "AFTER_LAST_Z": {
      const ended = at < EARLY ? shown - 1 : shown;
      return { first: ended, last: ended };
    }
    case "DAILY":
      return { first: date - 1, last: date - 1 };
    case "WEEKLY": {
      const monday = date - ((date + MONDAY_OFFSET) % 7);
      return { first: monday - 7, last: monday - 1 };
    }
    case "MONTHLY": {
      const start = monthStart(date, 0);
      return { first: monthStart(date, -1), last: start - 1 };
    }
  }
}

/** The next moment after `now` at which another span is due. */
export function nextMoment(times: Times, now: number, day: DayClock): number {
  const { last } = dueSpan(times, now, day);
  const today = dateOf(now, calendarOf(day.timeZone));
  for (let date = today; date <= today + 32; date++) {
    const moment = momentOf(date, times.at, day.timeZone);
    if (moment > now && dueSpan(times, moment, day).last > last) return moment;
  }
  throw new Error("a schedule has no next moment");
}

function monthStart(date: number, months: number): number {
  const day = new Date(date * DAY);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1) / DAY;
}
