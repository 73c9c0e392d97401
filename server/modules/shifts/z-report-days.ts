import type { ZReportsQuery } from "../../contract/pos/shifts.ts";
import { type DayClock, startOfDate } from "../../contract/pos/shop-day.ts";
import { Problem } from "../../contract/problem.ts";
import { DAY } from "../../lib/clock.ts";

/**
 * The instants between which the shifts were closed that are asked for; undefined for all of them.
 * @throws Problem INVALID_REQUEST naming `firstDay`
 */
export function closedWithin(
  { firstDay, lastDay }: Pick<ZReportsQuery, "firstDay" | "lastDay">,
  day: DayClock,
): { from: number; until: number } | undefined {
  const [begin, end] = [firstDay ?? lastDay, lastDay ?? firstDay];
  if (begin === undefined || end === undefined) return undefined;
  const [first, last] = [Date.parse(begin) / DAY, Date.parse(end) / DAY];
  if (first <= last) {
    return { from: startOfDate(first, day), until: startOfDate(last + 1, day) };
  }
  const rule = "must be a day up to lastDay";
  throw new Problem("INVALID_REQUEST", `firstDay ${rule}.`, { firstDay: rule });
}
