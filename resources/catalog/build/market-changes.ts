import { type Row, readTable, TableError } from "../../lib/csv.ts";
import type { BrandRow } from "./brands.ts";
import { dayOf } from "./cells.ts";

const KINDS = ["renamed", "ended", "merged", "starts"] as const;
type Kind = (typeof KINDS)[number];

/** What happened, or is expected, to a brand in one country. */
export interface MarketChange {
  readonly at: string;
  readonly country: string;
  readonly brand: string;
  readonly kind: Kind;
  /** The name until then. */
  readonly from: string;
  /** The new name, or of a merger the brand that the customers went to. */
  readonly to: string;
  /** The first day that it holds; undefined while it is only expected. */
  readonly day: Date | undefined;
  /** When it was last looked up. */
  readonly checked: Date;
}

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

/** The changes of a table, and what follows from them on the day of the tables. */
export class MarketChanges {
  readonly #all: readonly MarketChange[];
  readonly #day: Date;
  /** By code, with the names that they go by on that day. */
  readonly #brands: Map<string, BrandRow>;

  /**
   * @param brands with the names that they had before any of the changes
   * @throws TableError for a row that cannot be read or used, or was looked up too long ago
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

  /** Why a brand is not for sale in a country any more; undefined while it is. */
  endOf(country: string, brand: string): string | undefined {
    const isIt = (change: MarketChange) => change.country === country && change.brand === brand;
    const ended = this.#happened("ended").find(isIt);
    if (ended !== undefined) return `Not sold since ${dayText(ended)}.`;
    const merged = this.#happened("merged").find(isIt);
    if (merged === undefined) return undefined;
    return `Part of ${this.#brands.get(merged.to)?.brandName} since ${dayText(merged)}.`;
  }

  /** True for a brand that is not sold before a day that is still to come, in a country or in any. */
  isToCome(brand: string, country?: string): boolean {
    return this.#all.some(
      (change) =>
        change.kind === "starts" &&
        change.brand === brand &&
        (country === undefined || change.country === country) &&
        !this.#holds(change),
    );
  }

  /** A brand has one name everywhere: one that was renamed in a country is sold in no other. */
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

  /** By day, so that the last name is the one that stays. */
  #happened(kind: Kind): MarketChange[] {
    return this.#all
      .filter((change) => change.kind === kind && this.#holds(change))
      .sort((a, b) => (a.day?.getTime() ?? 0) - (b.day?.getTime() ?? 0));
  }

  #holds({ day }: MarketChange): boolean {
    return day !== undefined && day <= this.#day;
  }

  /** What has not happened yet is looked up again before the tables are dated a year later. */
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
