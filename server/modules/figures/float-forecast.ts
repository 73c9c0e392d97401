import type { FirstPage } from "../../contract/pos/figures.ts";
import type { Db } from "../../db/database.ts";
import { QUARTER_MS } from "../../db/figure-sums.ts";
import { DAY, toTimestamp } from "../../lib/clock.ts";
import { getBalances } from "../wallet/index.ts";
import { type FigureScope, listSpending } from "./figure-sums-store.ts";

const WEEKS = 4;
const WEEK_MS = 7 * DAY;
const QUARTERS_A_WEEK = WEEK_MS / QUARTER_MS;

/**
 * What can be spent, and how far it goes: sales by the average cost of one in the last four weeks, and
 * until when by what was spent in the same quarter hours of those weeks (rules#figure-float).
 */
export async function readFloat(
  db: Db,
  scope: FigureScope,
  now: number,
): Promise<FirstPage["float"]> {
  const balances = await getBalances(db, scope);
  const rows = await listSpending(db, scope, { from: now - WEEKS * WEEK_MS, until: now });
  const spent = rows.map((row) => ({
    quarter: row.quarter,
    cost: row.wallet_cost - row.wallet_cost_back,
  }));
  const cost = spent.reduce((sum, row) => sum + row.cost, 0);
  const sales = rows.reduce((sum, row) => sum + row.sales, 0);
  const { available, held, currency, currencyDivisor } = balances;
  const known = cost > 0 && sales > 0;
  const lastsUntil = known ? emptyAt(available, spent, now) : undefined;
  return {
    currency,
    currencyDivisor,
    available,
    held,
    ...(known && { salesLeft: Math.floor((available * sales) / cost) }),
    ...(lastsUntil !== undefined && { lastsUntil: toTimestamp(lastsUntil) }),
  };
}

/** When it is spent within a week, by what the same quarter hours of earlier weeks spent on average. */
function emptyAt(
  available: number,
  spent: readonly { quarter: number; cost: number }[],
  now: number,
): number | undefined {
  const usual = new Map<number, number>();
  for (const { quarter, cost } of spent) {
    const ofWeek = quarter % QUARTERS_A_WEEK;
    usual.set(ofWeek, (usual.get(ofWeek) ?? 0) + cost / WEEKS);
  }
  const first = Math.floor(now / QUARTER_MS);
  let left = available;
  for (let quarter = first; quarter < first + QUARTERS_A_WEEK; quarter++) {
    left -= usual.get(quarter % QUARTERS_A_WEEK) ?? 0;
    if (left < 0) return Math.max(now, quarter * QUARTER_MS);
  }
  return undefined;
}
