import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Decimal } from "decimal.js";
import { keyed, readTable, TableError } from "../../lib/csv.ts";
import { isCurrency } from "../../lib/iso-4217.ts";
import { type BrandRow, readBrands } from "./brands.ts";
import { decimal, positive, wholeNumber } from "./cells.ts";
import { MarketChanges } from "./market-changes.ts";
import { type OperatorPlan, readPlans } from "./plans.ts";
import { REGIONS, type Region } from "./types.ts";

export interface Country {
  readonly country: string;
  readonly name: string;
  readonly currency: string;
  readonly regions: readonly Region[];
}

/** What the client pays, and what the customer should, for anything of one operator. */
export interface Terms {
  readonly discountPct: Decimal;
  readonly markupPct: Decimal;
  readonly costFeeCents: number;
  readonly costFeePct: Decimal;
  readonly priceFeeCents: number;
}

/** Limits of a range top-up, in US dollars of the suggested price. */
export interface UsdRange {
  readonly min: Decimal;
  readonly max: Decimal;
  readonly step: Decimal;
}

/** A brand in one country, with what it sells there. */
export interface Operator {
  readonly at: string;
  readonly country: Country;
  readonly brand: BrandRow;
  readonly currency: string;
  readonly regions: readonly Region[];
  readonly topups: readonly Decimal[];
  readonly range: UsdRange | undefined;
  /** Suggested prices in US dollars that senders choose by. */
  readonly usdPrices: readonly Decimal[];
  readonly terms: Terms;
  readonly plans: readonly OperatorPlan[];
}

export interface Tables {
  readonly countries: ReadonlyMap<string, Country>;
  readonly brands: readonly BrandRow[];
  readonly operators: readonly Operator[];
  /** When the tables were drawn up: every offer carries it, so that a rebuild changes nothing else. */
  readonly date: string;
  readonly changes: MarketChanges;
  readonly disabled: ReadonlyMap<string, { at: string; reason: string }>;
  readonly rates: ReadonlyMap<string, Decimal>;
}

/**
 * The day of the tables: what `market-changes.csv` dates later has not happened in the catalog. Moved
 * forward once a year at least, when what is expected there has been looked up again.
 */
export const TABLES_DATE = "2026-11-22T00:00:00.000Z";

export function readTables(tablesDir: string, ratesFile: string, date = TABLES_DATE): Tables {
  const rates = readRates(ratesFile);
  const countries = readCountries(join(tablesDir, "countries.csv"), rates);
  const changes = new MarketChanges(
    join(tablesDir, "market-changes.csv"),
    new Date(date),
    readBrands(join(tablesDir, "brands.csv")),
  );
  const { brands } = changes;
  const plans = readPlans(join(tablesDir, "plans.csv"));
  const operators = readOperators(
    join(tablesDir, "operators.csv"),
    countries,
    brands,
    plans,
    rates,
  );
  for (const [key, rows] of plans) {
    if (!operators.has(key)) throw new TableError(rows[0]?.at ?? key, `no operator ${key}`);
  }
  return {
    countries,
    brands: [...brands.values()],
    operators: [...operators.values()].filter(
      ({ country, brand }) => !changes.isToCome(brand.brand, country.country),
    ),
    date,
    changes,
    disabled: readDisabled(join(tablesDir, "disabled-offers.csv")),
    rates,
  };
}

function readRates(path: string): Map<string, Decimal> {
  const { rates } = JSON.parse(readFileSync(path, "utf8")) as { rates: Record<string, string> };
  return new Map(
    Object.entries(rates).map(([currency, rate]) => [
      currency,
      positive("reference-rates.json", currency, rate),
    ]),
  );
}

export function currencyOf(at: string, text: string, rates: ReadonlyMap<string, Decimal>): string {
  if (!isCurrency(text)) throw new TableError(at, `"${text}" is not a currency of ISO 4217`);
  if (!rates.has(text)) throw new TableError(at, `${text} has no reference rate`);
  return text;
}

export function regionsOf(at: string, text: string): Region[] {
  return text.split("|").map((name) => {
    const region = REGIONS.find((candidate) => candidate === name);
    if (region === undefined) throw new TableError(at, `"${name}" is not a region`);
    return region;
  });
}

function readCountries(path: string, rates: ReadonlyMap<string, Decimal>): Map<string, Country> {
  const rows = readTable(path, ["country", "name", "currency", "regions"]);
  return keyed(rows, ({ at, cells }) => {
    if (!/^[A-Z]{2}$/.test(cells.country)) {
      throw new TableError(at, `"${cells.country}" is not a two-letter country code`);
    }
    const currency = currencyOf(at, cells.currency, rates);
    return [cells.country, { ...cells, currency, regions: regionsOf(at, cells.regions) }];
  });
}

function readOperators(
  path: string,
  countries: ReadonlyMap<string, Country>,
  brands: ReadonlyMap<string, BrandRow>,
  plans: ReadonlyMap<string, OperatorPlan[]>,
  rates: ReadonlyMap<string, Decimal>,
): Map<string, Operator> {
  const rows = readTable(path, [
    "country",
    "brand",
    "currency",
    "regions",
    "topups",
    "rangeMinUsd",
    "rangeMaxUsd",
    "rangeStepUsd",
    "usdPrices",
    ...TERMS_COLUMNS,
  ]);
  return keyed(rows, ({ at, cells }) => {
    const country = countries.get(cells.country);
    if (country === undefined) throw new TableError(at, `unknown country "${cells.country}"`);
    const brand = brands.get(cells.brand);
    if (brand === undefined) throw new TableError(at, `unknown brand "${cells.brand}"`);
    const key = `${cells.country} ${cells.brand}`;
    const operator: Operator = {
      at,
      country,
      brand,
      currency: cells.currency === "" ? country.currency : currencyOf(at, cells.currency, rates),
      regions: cells.regions === "" ? country.regions : regionsOf(at, cells.regions),
      topups: valuesOf(at, "topups", cells.topups),
      range: rangeOf(at, cells.rangeMinUsd, cells.rangeMaxUsd, cells.rangeStepUsd),
      usdPrices: valuesOf(at, "usdPrices", cells.usdPrices),
      terms: termsOf(at, cells),
      plans: plans.get(key) ?? [],
    };
    if (operator.usdPrices.length > 0 && operator.currency === "USD") {
      throw new TableError(at, "usdPrices are for credit that is not counted in US dollars");
    }
    return [key, operator];
  });
}

export const TERMS_COLUMNS = [
  "discountPct",
  "markupPct",
  "costFeeCents",
  "costFeePct",
  "priceFeeCents",
] as const;

export function termsOf(
  at: string,
  cells: Readonly<Record<(typeof TERMS_COLUMNS)[number], string>>,
): Terms {
  return {
    discountPct: positive(at, "discountPct", cells.discountPct),
    markupPct: decimal(at, "markupPct", cells.markupPct),
    costFeeCents: wholeNumber(at, "costFeeCents", cells.costFeeCents),
    costFeePct: decimal(at, "costFeePct", cells.costFeePct),
    priceFeeCents: wholeNumber(at, "priceFeeCents", cells.priceFeeCents),
  };
}

/** Face values separated by spaces, from the smallest to the largest. */
export function valuesOf(at: string, column: string, text: string): Decimal[] {
  const values = text === "" ? [] : text.split(" ").map((part) => positive(at, column, part));
  for (const [index, value] of values.entries()) {
    if (index > 0 && value.lte(values[index - 1] ?? 0)) {
      throw new TableError(at, `${column} must rise from left to right`);
    }
  }
  return values;
}

export function rangeOf(at: string, min: string, max: string, step: string): UsdRange | undefined {
  if (min === "" && max === "" && step === "") return undefined;
  const range = {
    min: positive(at, "rangeMinUsd", min),
    max: positive(at, "rangeMaxUsd", max),
    step: positive(at, "rangeStepUsd", step),
  };
  // Whole dollars and whole multiples keep the limits of price, send and cost exact.
  if (!range.min.isInteger()) throw new TableError(at, "rangeMinUsd must be whole dollars");
  if (!range.max.mod(range.min).isZero() || range.max.lte(range.min)) {
    throw new TableError(at, "rangeMaxUsd must be a multiple of rangeMinUsd");
  }
  if (!range.max.minus(range.min).mod(range.step).isZero()) {
    throw new TableError(at, "rangeMaxUsd must be reached from rangeMinUsd in whole steps");
  }
  return range;
}

function readDisabled(path: string): Map<string, { at: string; reason: string }> {
  const rows = readTable(path, ["offerId", "reason"]);
  return keyed(rows, ({ at, cells }) => [cells.offerId, { at, reason: cells.reason }]);
}
