import { type DayClock, offsetOf, type TimeZone } from "../../../contract/pos/shop-day.ts";
import { QUARTER_MS } from "../../../db/figure-sums.ts";
import { type Period, splitPeriod } from "./figure-period.ts";
import type { Span, Stretch } from "./figure-sums-store.ts";

/** The days of a period, each cut where the clocks of its zone are put forward or back. */
export function stretchesOf(period: Period, day: DayClock): Stretch[] {
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

/** The first quarter hour with another distance from UTC. */
function findChange({ from, until }: Span, offset: number, timeZone: TimeZone): number {
  let [same, other] = [from, until];
  while (other - same > QUARTER_MS) {
    const middle = same + Math.floor((other - same) / 2 / QUARTER_MS) * QUARTER_MS;
    if (offsetOf(middle, timeZone) === offset) same = middle;
    else other = middle;
  }
  return other;
}
