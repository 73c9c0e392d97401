import type {
  FigureBreakdown,
  FigureDimension,
  FigureHours,
  FigureSeries,
  PeriodKind,
} from "../../../contract/pos/figures.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { providerNames } from "../../providers/upstream/index.ts";
import { keyNames } from "../../shop/keys/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { tillNames } from "../../shop/tills/index.ts";
import {
  periodBefore,
  readPeriod,
  splitByOffset,
  splitPeriod,
  viewPeriod,
} from "./figure-period.ts";
import { type FigureReader, viewHeading } from "./figure-reader.ts";
import {
  addSums,
  NO_SUMS,
  sumHours,
  sumParts,
  sumSpans,
  toFigures,
  toLineFigures,
} from "./figure-sums-store.ts";

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
    const asked = await this.#deps.reader.readContext(reader);
    const { scope, shop, now } = asked;
    const period = readPeriod(query, shop);
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
    const asked = await this.#deps.reader.readContext(reader);
    const { scope, shop, now } = asked;
    const period = readPeriod(query, shop);
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
    const asked = await this.#deps.reader.readContext(reader);
    const { scope, shop, now } = asked;
    const period = readPeriod(query, shop);
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
