import type { FirstPage } from "../../../contract/pos/figures.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { QUARTER_MS } from "../../../db/figure-sums.ts";
import { DAY, HOUR, toTimestamp } from "../../../lib/clock.ts";
import { type Balances, getBalances } from "../../books/wallet/index.ts";
import type { FigureScope } from "./counted-rows.ts";
import type { FigureReader } from "./figure-reader.ts";
import { listQuarters } from "./figure-sums-store.ts";

const WEEKS = 4;
const WEEK_MS = 7 * DAY;
const QUARTERS_A_WEEK = WEEK_MS / QUARTER_MS;

/** Undefined fields are unknown. */
export interface FloatForecast extends Balances {
  /** Number of further sales, at the average cost of the last four weeks. */
  salesLeft: number | undefined;
  /** Instant at which the balance runs out; undefined if later than in a week. */
  emptyAt: number | undefined;
  /** Business hours until the balance runs out; undefined if later than in a week. */
  hoursLeft: number | undefined;
}

/**
 * Forecasts the wallet from the last four weeks (rules#figure-float): the number of further sales
 * from the average cost, and the time of the empty wallet from the spending in the same quarter
 * hours.
 */
async function forecastFloat(db: Db, scope: FigureScope, now: number): Promise<FloatForecast> {
  const balances = await getBalances(db, scope);
  const rows = await listQuarters(db, scope, { from: now - WEEKS * WEEK_MS, until: now });
  const spent = rows.map((row) => ({
    quarter: row.quarter,
    cost: row.wallet_cost - row.wallet_cost_back,
  }));
  // Includes the current quarter hour, so that the shop's first sale counts.
  const current = { from: now - (now % QUARTER_MS), until: now + QUARTER_MS };
  const recent = await listQuarters(db, scope, current);
  const all = [...rows, ...recent];
  const cost = all.reduce((sum, row) => sum + row.wallet_cost - row.wallet_cost_back, 0);
  const sales = all.reduce((sum, row) => sum + row.sales - row.sales_back, 0);
  const isKnown = cost > 0 && sales > 0;
  const end = isKnown ? findEnd(balances.available, spent, now) : undefined;
  return {
    ...balances,
    salesLeft: isKnown ? Math.floor((balances.available * sales) / cost) : undefined,
    emptyAt: end?.at,
    hoursLeft: end?.hours,
  };
}

function findEnd(
  available: number,
  spent: readonly { quarter: number; cost: number }[],
  now: number,
): { at: number; hours: number } | undefined {
  const usual = new Map<number, number>();
  for (const { quarter, cost } of spent) {
    const ofWeek = quarter % QUARTERS_A_WEEK;
    usual.set(ofWeek, (usual.get(ofWeek) ?? 0) + cost / WEEKS);
  }
  const first = Math.floor(now / QUARTER_MS);
  let left = available;
  let selling = 0;
  for (let quarter = first; quarter < first + QUARTERS_A_WEEK; quarter++) {
    const cost = usual.get(quarter % QUARTERS_A_WEEK) ?? 0;
    left -= cost;
    if (left < 0) {
      return { at: Math.max(now, quarter * QUARTER_MS), hours: (selling * QUARTER_MS) / HOUR };
    }
    if (cost > 0) selling++;
  }
  return undefined;
}

export async function readFloat(
  db: Db,
  scope: FigureScope,
  now: number,
): Promise<FirstPage["float"]> {
  const { currency, currencyDivisor, available, held, salesLeft, emptyAt } = await forecastFloat(
    db,
    scope,
    now,
  );
  return {
    currency,
    currencyDivisor,
    available,
    held,
    ...(salesLeft !== undefined && { salesLeft }),
    ...(emptyAt !== undefined && { lastsUntil: toTimestamp(emptyAt) }),
  };
}

export class FloatService {
  readonly #reader: FigureReader;

  constructor(reader: FigureReader) {
    this.#reader = reader;
  }

  /** @throws Problem NOT_SET_UP */
  async forecast(reader: Scope): Promise<FloatForecast> {
    const { scope, now } = await this.#reader.readContext(reader);
    const span = { from: now - 29 * DAY, until: now };
    return this.#reader.read(scope, span, (db) => forecastFloat(db, scope, now));
  }
}
