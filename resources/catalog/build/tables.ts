import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Decimal } from "decimal.js";
import { keyed, type Row, readTable, TableError } from "../../lib/csv.ts";
import { isCurrency } from "../../lib/iso-4217.ts";
import { type BrandRow, readBrands } from "./brands.ts";
import { dayOf, decimal, positive, wholeNumber } from "./cells.ts";
import { type OperatorPlan, readPlans } from "./plans.ts";
import { REGIONS, type Region } from "./types.ts";

const KINDS = ["renamed", "ended", "merged", "starts"] as const;

const CHANGE_COLUMNS = [
  "country",
  "brand",
  "kind",
  "from",
  "to",
  "date",
  "source",
  "checked",
] as const;
const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/** The rows of `market-changes.csv`, and their effect on the tables' date. */
class MarketChanges {
  readonly #all: readonly MarketChange[];
  readonly #day: Date;
  /** Brands by code. Renames up to the tables' date are applied. */
  readonly #brands: Map<string, BrandRow>;

  /**
   * @param brands brands with their names before any change
   * @throws TableError for a row that is invalid, or was last verified too long ago
   */
  constructor(path: string, day: Date, brands: ReadonlyMap<string, BrandRow>) {
    this.#all = readTable(path, CHANGE_COLUMNS).map(changeOf);
    this.#day = day;
    this.#brands = new Map(brands);
    for (const change of this.#all) {
      this.#refuseUnknown(change);
      this.#refuseStale(change);
    }
    for (const change of this.#happened("renamed")) this.#rename(change);
  }

  get brands(): ReadonlyMap<string, BrandRow> {
    return this.#brands;
  }

  /**
   * Returns the reason why a brand is no longer for sale in a country; undefined if it is for sale.
   */
  endOf(country: string, brand: string): string | undefined {
    const isIt = (change: MarketChange) => change.country === country && change.brand === brand;
    const ended = this.#happened("ended").find(isIt);
    if (ended !== undefined) return `Not sold since ${dayText(ended)}.`;
    const merged = this.#happened("merged").find(isIt);
    if (merged === undefined) return undefined;
    return `Part of ${this.#brands.get(merged.to)?.brandName} since ${dayText(merged)}.`;
  }

  /** Returns whether a brand's sale starts after the tables' date. */
  isToCome(brand: string, country?: string): boolean {
    return this.#all.some(
      (change) =>
        change.kind === "starts" &&
        change.brand === brand &&
        (country === undefined || change.country === country) &&
        !this.#holds(change),
    );
  }

  /**
   * Refuses a renamed brand that is also sold in another country, because a brand has one name
   * everywhere.
   */
  refuseNamesElsewhere(offers: readonly { brand: string; country: string }[]): void {
    for (const { at, brand, country } of this.#happened("renamed")) {
      const elsewhere = offers.find((offer) => offer.brand === brand && offer.country !== country);
      if (elsewhere === undefined) continue;
      throw new TableError(
        at,
        `${brand} is sold in ${elsewhere.country} too: give it its own code`,
      );
    }
  }

  #rename({ at, brand, from, to }: MarketChange): void {
    const row = this.#brands.get(brand);
    if (row?.brandName !== from) {
      throw new TableError(at, `${brand} was called "${row?.brandName}", not "${from}"`);
    }
    this.#brands.set(brand, { ...row, brandName: to });
  }

  #refuseUnknown({ at, brand, kind, to }: MarketChange): void {
    if (!this.#brands.has(brand)) throw new TableError(at, `unknown brand "${brand}"`);
    if (kind === "merged" && !this.#brands.has(to)) {
      throw new TableError(at, `unknown brand "${to}"`);
    }
  }

  /**
   * Returns past changes of a kind in the order of their days. If a brand was renamed twice, the
   * last name applies.
   */
  #happened(kind: Kind): MarketChange[] {
    return this.#all
      .filter((change) => change.kind === kind && this.#holds(change))
      .sort((a, b) => (a.day?.getTime() ?? 0) - (b.day?.getTime() ?? 0));
  }

  #holds({ day }: MarketChange): boolean {
    return day !== undefined && day <= this.#day;
  }

  /** Refuses a future change that was last verified more than a year before the tables' date. */
  #refuseStale(change: MarketChange): void {
    if (this.#holds(change)) return;
    if (this.#day.getTime() - change.checked.getTime() > YEAR_MS) {
      throw new TableError(
        change.at,
        `was last checked more than a year before the tables' date: look it up again`,
      );
    }
  }
}

export interface Country {
  readonly country: string;
  readonly name: string;
  readonly currency: string;
  readonly regions: readonly Region[];
}

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

export interface Operator {
  readonly at: string;
  readonly country: Country;
  readonly brand: BrandRow;
  readonly currency: string;
  readonly regions: readonly Region[];
  readonly topups: readonly Decimal[];
  readonly range: UsdRange | undefined;
  readonly usdPrices: readonly Decimal[];
  readonly terms: Terms;
  readonly plans: readonly OperatorPlan[];
}

export interface Tables {
  readonly countries: ReadonlyMap<string, Country>;
  readonly brands: readonly BrandRow[];
  readonly operators: readonly Operator[];
  /**
   * Date of the tables. Every offer has this date, so that rebuilding the catalog changes nothing.
   */
  readonly date: string;
  readonly changes: MarketChanges;
  readonly disabled: ReadonlyMap<string, { at: string; reason: string }>;
  readonly rates: ReadonlyMap<string, Decimal>;
}

/**
 * Date of the tables. Changes with a later date have not happened in the catalog. Move this date
 * forward at least once a year, after verifying the expected changes.
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

/** Reads face values separated by spaces. They must be in ascending order. */
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
  // Both conditions make the limits of price, send and cost exact.
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

type Kind = (typeof KINDS)[number];

interface MarketChange {
  readonly at: string;
  readonly country: string;
  readonly brand: string;
  readonly kind: Kind;
  readonly from: string;
  /** New name. In a merger, the brand that took over. */
  readonly to: string;
  /** First day of the change; undefined while the change is only expected. */
  readonly day: Date | undefined;
  readonly checked: Date;
}

function changeOf({ at, cells }: Row<(typeof CHANGE_COLUMNS)[number]>): MarketChange {
  const { country, brand, from, to } = cells;
  const kind = KINDS.find((known) => known === cells.kind);
  if (kind === undefined) throw new TableError(at, `kind "${cells.kind}" is not a kind of change`);
  if (cells.source === "") throw new TableError(at, "source is empty");
  const day = cells.date === "" ? undefined : dayOf(at, "date", cells.date);
  const needsTo = kind === "renamed" || kind === "merged";
  if (day !== undefined && needsTo && to === "") throw new TableError(at, "to is empty");
  if (!needsTo && to !== "") throw new TableError(at, `to must be empty where a brand ${kind}`);
  return { at, country, brand, kind, from, to, day, checked: dayOf(at, "checked", cells.checked) };
}

function dayText({ day }: MarketChange): string {
  return day?.toISOString().slice(0, 10) ?? "";
}
