import type { FigureCharts } from "../../../contract/pos/figures.ts";
import { dateOf } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { availableAt } from "../../books/wallet/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { makePeriod, splitByOffset, splitPeriod, toDateText } from "./figure-period.ts";
import { type FigureReader, type FigureRequest, viewHeading } from "./figure-reader.ts";
import { sumHours, sumParts, sumSpans, toFigures, toLineFigures } from "./figure-sums-store.ts";

interface ChartServiceDeps {
  reader: FigureReader;
  catalog: CatalogService;
}

const DAYS = 30;
const WEEKS = 4;
const MAX_BRANDS = 20;

export class ChartService {
  readonly #deps: ChartServiceDeps;

  constructor(deps: ChartServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async view(reader: Scope): Promise<FigureCharts> {
    const asked = await this.#deps.reader.readContext(reader);
    const { scope, shop, now } = asked;
    const { brands } = await this.#deps.catalog.getSnapshot(scope);
    const today = dateOf(now, shop);
    const period = makePeriod(today - DAYS + 1, today + 1, shop);
    return this.#deps.reader.read(scope, period, async (db) => {
      const days = splitPeriod(period, "DAY", shop);
      const sums = await sumSpans(db, scope, days);
      const parts = await sumParts(db, scope, period, "BRAND");
      const weeks = makePeriod(today - 7 * WEEKS + 1, today + 1, shop);
      const week = await sumHours(db, scope, splitByOffset(weeks, shop), "weekday");
      return {
        ...viewHeading(asked),
        hours: await readHours(db, asked, today),
        days: sums.map((sum, index) => {
          const { sold, earned } = toFigures(sum);
          return { day: toDateText(period.first + index), sold, earned };
        }),
        brands: [...parts]
          .map(([brand, of]) => ({
            brand,
            name: brands.get(brand)?.brandName ?? "",
            figures: toLineFigures(of),
          }))
          .sort((a, b) => b.figures.earned - a.figures.earned)
          .slice(0, MAX_BRANDS),
        float: await readBalances(db, asked, days),
        week: week.map((row) => ({ weekday: row.day, hour: row.hour, figures: toFigures(row) })),
      };
    });
  }
}

/**
 * Returns the sales of each hour of today, with the median of that hour on the same weekday of the
 * last four weeks.
 */
async function readHours(
  db: Db,
  { scope, shop }: FigureRequest,
  today: number,
): Promise<FigureCharts["hours"]> {
  const dates = [0, 1, 2, 3, 4].map((weeks) => today - 7 * weeks);
  const stretches = dates.flatMap((date) => splitByOffset(makePeriod(date, date + 1, shop), shop));
  const rows = await sumHours(db, scope, stretches, "date");
  const soldAt = (date: number, hour: number) => {
    const row = rows.find((one) => one.day === date && one.hour === hour);
    return row ? toFigures(row).sold : 0;
  };
  const first = Math.floor(shop.dayStartsAt / 60);
  return Array.from({ length: 24 }, (_, index) => {
    const hour = (first + index) % 24;
    return {
      hour,
      sold: soldAt(today, hour),
      usual: toMedian(dates.slice(1).map((date) => soldAt(date, hour))),
    };
  });
}

function toMedian(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return Math.round((low + high) / 2);
}

async function readBalances(
  db: Db,
  { scope, now }: FigureRequest,
  days: readonly { from: number }[],
): Promise<FigureCharts["float"]> {
  const instants = [...days.map(({ from }) => from), now + 1];
  const list: FigureCharts["float"] = [];
  for (const at of instants) {
    list.push({ at: toTimestamp(at), available: await availableAt(db, scope, at) });
  }
  return list;
}
