import type {
  FigureBreakdown,
  FigureCharts,
  FigureDimension,
  FigureHours,
  FigureSeries,
  PeriodKind,
} from "../../../contract/pos/figures.ts";
import { dateOf } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { listAvailable } from "../../books/wallet/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { providerNames } from "../../providers/upstream/index.ts";
import { keyNames } from "../../shop/keys/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { tillNames } from "../../shop/tills/index.ts";
import { addSums, NO_SUMS } from "./counted-rows.ts";
import {
  makePeriod,
  periodBefore,
  splitByOffset,
  splitPeriod,
  toDateText,
  viewPeriod,
} from "./figure-period.ts";
import { type FigureReader, type FigureRequest, viewHeading } from "./figure-reader.ts";
import { sumHours, sumParts, sumSpans, toFigures, toLineFigures } from "./figure-sums-store.ts";

export interface BrandNames {
  getSnapshot(scope: Scope): Promise<{ brands: ReadonlyMap<string, { brandName: string }> }>;
}

interface FigureServiceDeps {
  db: Db;
  reader: FigureReader;
  catalog: BrandNames;
}

/** Both days are inclusive. */
export interface Days {
  firstDay: string;
  lastDay: string;
}

/** Dimensions whose values are ids of named things of the shop. */
type NamedDimension = "CLERK" | "TILL" | "KEY" | "PROVIDER";

export function isNamed(by: FigureDimension): by is NamedDimension {
  return by === "CLERK" || by === "TILL" || by === "KEY" || by === "PROVIDER";
}

/** Returns the current names of people, tills, API keys or providers by their ids. */
export function readPartNames(
  db: Db,
  { accountId, environment }: Scope,
  { by, values }: { by: NamedDimension; values: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (by === "CLERK") return staffNames(db, accountId, values);
  if (by === "PROVIDER") return providerNames(db, { accountId, environment });
  return by === "TILL" ? tillNames(db, accountId) : keyNames(db, accountId, values);
}

export class FigureService {
  readonly #deps: FigureServiceDeps;

  constructor(deps: FigureServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the day */
  async listPeriods(reader: Scope, query: Days & { by: PeriodKind }): Promise<FigureSeries> {
    const asked = await this.#deps.reader.readRequest(reader, query);
    const { scope, shop, now, period } = asked;
    const before = periodBefore(period, shop, now);
    const parts = splitPeriod(period, query.by, shop);
    const span = { from: before.from, until: period.until };
    const [earlier = NO_SUMS, ...sums] = await this.#deps.reader.read(scope, span, (db) =>
      sumSpans(db, scope, [before, ...parts]),
    );
    return {
      ...viewHeading(asked),
      period: viewPeriod(period, now),
      figures: toFigures(addSums(...sums)),
      before: { period: viewPeriod(before, now), figures: toFigures(earlier) },
      list: parts.flatMap((part, index) => {
        const sum = sums[index];
        return sum ? { period: viewPeriod(part, now), figures: toFigures(sum) } : [];
      }),
    };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the day */
  async listParts(reader: Scope, query: Days & { by: FigureDimension }): Promise<FigureBreakdown> {
    const asked = await this.#deps.reader.readRequest(reader, query);
    const { scope, shop, now, period } = asked;
    const before = periodBefore(period, shop, now);
    const span = { from: before.from, until: period.until };
    const [parts, earlier] = await this.#deps.reader.read(scope, span, async (db) => [
      await sumParts(db, scope, period, query.by),
      await sumParts(db, scope, before, query.by),
    ]);
    const names = await this.#readNames(scope, query.by, [...parts.keys(), ...earlier.keys()]);
    const list = [...new Set([...parts.keys(), ...earlier.keys()])].map((value) => ({
      value,
      name: names(value),
      figures: toLineFigures(parts.get(value) ?? NO_SUMS),
      before: toLineFigures(earlier.get(value) ?? NO_SUMS),
    }));
    list.sort((a, b) => b.figures.earned - a.figures.earned || a.value.localeCompare(b.value));
    return {
      ...viewHeading(asked),
      period: viewPeriod(period, now),
      before: viewPeriod(before, now),
      list,
    };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the day */
  async listHours(reader: Scope, query: Days): Promise<FigureHours> {
    const asked = await this.#deps.reader.readRequest(reader, query);
    const { scope, shop, now, period } = asked;
    const stretches = splitByOffset(period, shop);
    const rows = await this.#deps.reader.read(scope, period, (db) =>
      sumHours(db, scope, stretches, "weekday"),
    );
    const list = rows.map((row) => ({
      weekday: row.day,
      hour: row.hour,
      figures: toFigures(row),
    }));
    return { ...viewHeading(asked), period: viewPeriod(period, now), list };
  }

  async #readNames(scope: Scope, by: FigureDimension, values: readonly string[]) {
    if (isNamed(by)) {
      const names = await readPartNames(this.#deps.db, scope, { by, values });
      return (value: string) => names.get(value) ?? "";
    }
    if (by !== "BRAND") return () => "";
    const { brands } = await this.#deps.catalog.getSnapshot(scope);
    return (value: string) => brands.get(value)?.brandName ?? "";
  }
}

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
  const available = await listAvailable(db, scope, instants);
  return instants.map((at, index) => ({
    at: toTimestamp(at),
    available: available[index] ?? 0,
  }));
}
