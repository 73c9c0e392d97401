import type { FigurePeriod, PeriodKind } from "../../../contract/pos/figures.ts";
import {
  type DayClock,
  dateOf,
  offsetOf,
  startOfDate,
  type TimeZone,
} from "../../../contract/pos/shop-day.ts";
import { invalidField } from "../../../contract/problem.ts";
import { QUARTER_MS } from "../../../db/figure-sums.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { Span } from "./counted-rows.ts";
import type { Stretch } from "./figure-sums-store.ts";

const MAX_DAYS = 1_100;

/**
 * A period of whole days. `first` and `next` (exclusive) count days since 1970-01-01; `from` and
 * `until` are the corresponding instants.
 */
export interface Period {
  first: number;
  next: number;
  from: number;
  until: number;
}

/** Returns the shop's days; each day lasts until the next day starts (rules#figure-days). */
export function makePeriod(first: number, next: number, day: DayClock): Period {
  return { first, next, from: startOfDate(first, day), until: startOfDate(next, day) };
}

/** @throws Problem INVALID_REQUEST naming the day */
export function readPeriod(
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  day: DayClock,
): Period {
  const first = readDate(firstDay, "firstDay");
  const last = readDate(lastDay, "lastDay");
  if (last < first) throw invalidField("lastDay", "must not be before firstDay");
  if (last - first >= MAX_DAYS) throw invalidField("lastDay", `must be within ${MAX_DAYS} days`);
  return makePeriod(first, last + 1, day);
}

function readDate(text: string, field: string): number {
  const at = Date.parse(`${text}T00:00:00.000Z`);
  const isDate = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  if (!isDate || at < 0) throw invalidField(field, "must be a day such as 2026-01-31");
  return at / DAY;
}

export function toDateText(date: number): string {
  return new Date(date * DAY).toISOString().slice(0, 10);
}

export function viewPeriod({ first, next, from, until }: Period, now: number): FigurePeriod {
  return {
    firstDay: toDateText(first),
    lastDay: toDateText(next - 1),
    from: toTimestamp(from),
    until: toTimestamp(until),
    isUnfinished: now < until,
  };
}

/**
 * Returns the preceding period of the same length: in months if the period consists of whole
 * months, otherwise in days. For an unfinished period, the preceding period ends after the same
 * elapsed time.
 */
export function periodBefore(period: Period, day: DayClock, now: number): Period {
  const { first, next } = period;
  const months = wholeMonths(first, next);
  const days = next - first;
  const start = months === undefined ? first - days : monthStart(first, -months);
  const before = makePeriod(start, first, day);
  if (now >= period.until) return before;
  return { ...before, until: sameTimeLater(before, period, day, now) };
}

/**
 * Returns the instant of `before` that corresponds to `now` in `period`: after the same number of
 * days, and the same part of a day.
 */
function sameTimeLater(before: Period, period: Period, day: DayClock, now: number): number {
  if (now <= period.from) return before.from;
  const today = dateOf(now, day);
  const intoDay = now - startOfDate(today, day);
  const moment = startOfDate(before.first + (today - period.first), day) + intoDay;
  return Math.min(moment, before.until);
}

function wholeMonths(first: number, next: number): number | undefined {
  const [from, until] = [new Date(first * DAY), new Date(next * DAY)];
  if (from.getUTCDate() !== 1 || until.getUTCDate() !== 1) return undefined;
  const years = until.getUTCFullYear() - from.getUTCFullYear();
  return years * 12 + until.getUTCMonth() - from.getUTCMonth();
}

function monthStart(date: number, months: number): number {
  const at = new Date(date * DAY);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1) / DAY;
}

/**
 * Splits a period into days, weeks from Monday, or months. The first and the last part do not
 * extend beyond the period.
 */
export function splitPeriod(period: Period, kind: PeriodKind, day: DayClock): Period[] {
  const list: Period[] = [];
  let { first, from } = period;
  while (first < period.next) {
    const next = Math.min(period.next, nextStart(first, kind));
    const until = next === period.next ? period.until : startOfDate(next, day);
    list.push({ first, next, from, until });
    [first, from] = [next, until];
  }
  return list;
}

function nextStart(date: number, kind: PeriodKind): number {
  if (kind === "DAY") return date + 1;
  if (kind === "MONTH") return monthStart(date, 1);
  return date + 7 - toWeekday(date);
}

/** Returns 0 for Monday; 1970-01-01 was a Thursday. */
function toWeekday(date: number): number {
  return (date + 3) % 7;
}

/** Splits a period into days. Splits a day with a clock change again, at the change. */
export function splitByOffset(period: Period, day: DayClock): Stretch[] {
  return splitPeriod(period, "DAY", day).flatMap(({ first: date, from, until }) =>
    cutByOffset({ from, until }, day.timeZone).map((stretch) => ({ ...stretch, date })),
  );
}

function cutByOffset({ from, until }: Span, timeZone: TimeZone): Omit<Stretch, "date">[] {
  if (from === until) return [];
  const offset = offsetOf(from, timeZone);
  const last = offsetOf(until - 1, timeZone);
  if (offset === last) return [{ from, until, offset }];
  const change = findChange({ from, until }, offset, timeZone);
  return [
    { from, until: change, offset },
    { from: change, until, offset: last },
  ];
}

function findChange({ from, until }: Span, offset: number, timeZone: TimeZone): number {
  let [same, other] = [from, until];
  while (other - same > QUARTER_MS) {
    const middle = same + Math.floor((other - same) / 2 / QUARTER_MS) * QUARTER_MS;
    if (offsetOf(middle, timeZone) === offset) same = middle;
    else other = middle;
  }
  return other;
}
