import { offsetOf, type TimeZone } from "../../contract/pos/shop-day.ts";
import { DAY_MS, QUARTER_MS } from "../../db/figure-sums.ts";
import type { Span, Stretch } from "./figure-sums-store.ts";

/** A span cut where the clocks of a zone are put forward or back. */
export function stretchesOf({ from, until }: Span, timeZone: TimeZone): Stretch[] {
  const stretches: Stretch[] = [];
  let start = from;
  let offset = offsetOf(from, timeZone);
  for (let at = from; at < until; ) {
    const next = Math.min(until, at + DAY_MS);
    if (offsetOf(next - 1, timeZone) !== offset) {
      const change = findChange({ from: at, until: next }, offset, timeZone);
      stretches.push({ from: start, until: change, offset });
      [start, offset] = [change, offsetOf(change, timeZone)];
    }
    at = next;
  }
  return [...stretches, { from: start, until, offset }];
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
