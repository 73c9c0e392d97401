import { DAY } from "../lib/clock.ts";
import { writerOf } from "./direct-writes.ts";
import { makeTrade } from "./generated-trade.ts";
import { sellSamples } from "./sold-samples.ts";
import type { TestGateway } from "./test-gateway.ts";
import { OWNER_PIN, type TestTill } from "./test-till.ts";

export function figurePages(firstDay: string, lastDay: string): Record<string, string> {
  const days = `firstDay=${firstDay}&lastDay=${lastDay}`;
  return {
    "first page": "/figures/today",
    charts: "/figures/charts",
    "by day": `/figures?${days}&by=DAY`,
    "by month": `/figures?${days}&by=MONTH`,
    "by family": `/figures/parts?${days}&by=FAMILY`,
    "by brand": `/figures/parts?${days}&by=BRAND`,
    "by country": `/figures/parts?${days}&by=COUNTRY`,
    "by clerk": `/figures/parts?${days}&by=CLERK`,
    "by hour": `/figures/hours?${days}`,
    lines: `/figures/lines?${days}&limit=50`,
    "lines of a brand": `/figures/lines?${days}&limit=50&by=BRAND&value=BLPC`,
    movements: `/figures/movements?${days}&limit=50`,
    owed: "/figures/owed?limit=50",
  };
}

/**
 * Sells samples, generates `count` sales from them on the following days, and sets the clock to the
 * day after the last.
 * @returns the signed-in owner, and the first and last day
 */
export async function makeYear(
  gateway: TestGateway,
  { count, days }: { count: number; days: number },
): Promise<{ owner: TestTill; firstDay: string; lastDay: string }> {
  const { owner, samples } = await sellSamples(gateway);
  const start = Math.ceil(gateway.clock.now() / DAY) * DAY + DAY;
  await writerOf(gateway.gateway.context.db)
    .transaction()
    .execute((tx) => makeTrade(tx, { samples, count, start, days }));
  // Closes the connections that were idle during the generation, because they must not be reused.
  await gateway.restart();
  const last = start + (days - 1) * DAY;
  // The last shift closes at the end of the last day. A clock earlier than the newest record would
  // stop all sales.
  gateway.clock.set(last + DAY);
  const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return {
    owner: await owner.signIn(owner.staffId, OWNER_PIN),
    firstDay: dateOf(start),
    lastDay: dateOf(last),
  };
}
