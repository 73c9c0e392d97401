import { FAMILIES } from "../../../contract/pos/families.ts";
import {
  type CatalogPage,
  type CatalogQuery,
  type CatalogRow,
  type CatalogSummary,
  type CatalogUpdates,
  OFFER_STATES,
  type OfferState,
} from "../../../contract/pos/office-catalog.ts";
import { LANGUAGES } from "../../../contract/pos/setup.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { pause, toTimestamp } from "../../../lib/clock.ts";
import { fitsTarget } from "./catalog-choices.ts";
import { listCatalogUpdates } from "./catalog-history.ts";
import type { CatalogService, ReviewedCatalog } from "./catalog-service.ts";
import type { CatalogSnapshot } from "./catalog-snapshot.ts";
import { findCatalogState } from "./catalog-store.ts";
import { viewRange } from "./offer-quote.ts";

const countryNamesKnown = new Map<string, readonly string[]>();
let namers: readonly Intl.DisplayNames[] | undefined;

const ROWS_AT_A_TIME = 500;
const PRICE_DIGITS = 12;

interface IndexedRow {
  row: CatalogRow;
  offer: Offer;
  /** Sort key of the list. */
  order: string;
  words: string;
}

interface CatalogIndex {
  rows: readonly IndexedRow[];
  positions: ReadonlyMap<string, number>;
  summary: Omit<CatalogSummary, "version" | "updatedAt" | "source">;
}

const known = new WeakMap<CatalogSnapshot, Promise<CatalogIndex>>();

/** Lists the catalog for the shop's owner, including offers that are not sold. */
export class CatalogBrowser {
  readonly #db: Db;
  readonly #catalog: CatalogService;

  constructor({ db, catalog }: { db: Db; catalog: CatalogService }) {
    this.#db = db;
    this.#catalog = catalog;
  }

  /**
   * Returns offers in order of brand, country and price.
   * @throws Problem INVALID_REQUEST if the last offer of the previous page no longer exists
   */
  async list(scope: Scope, query: CatalogQuery): Promise<CatalogPage> {
    const { rows, positions } = await this.#index(scope);
    const { after, limit, text = "", state, ...target } = query;
    const begin = after === undefined ? 0 : (positions.get(after) ?? -1) + 1;
    if (after !== undefined && begin === 0) {
      const fields = { after: "is not an offer of the catalog any more" };
      throw new Problem("INVALID_REQUEST", "The catalog has changed: begin anew.", fields);
    }
    const words = fold(text).split(/\s+/).filter(Boolean);
    const fits = ({ row, offer, words: its }: IndexedRow) =>
      (state === undefined || row.state === state) &&
      fitsTarget(offer, target) &&
      words.every((word) => its.includes(word));
    const list: CatalogRow[] = [];
    let total = 0;
    let more = false;
    for (const [index, indexed] of rows.entries()) {
      if (!fits(indexed)) continue;
      total++;
      if (index < begin) continue;
      if (list.length < limit) list.push(indexed.row);
      else more = true;
    }
    return { total, list, more };
  }

  async summarize(scope: Scope): Promise<CatalogSummary> {
    const state = await findCatalogState(this.#db, scope);
    const { summary } = await this.#index(scope);
    if (!state) return { version: 0, ...summary };
    const { version, source, updated_at } = state;
    return { version, source, updatedAt: toTimestamp(updated_at), ...summary };
  }

  async listUpdates(scope: Scope): Promise<CatalogUpdates> {
    return listCatalogUpdates(this.#db, scope);
  }

  async findRow(scope: Scope, offerId: string): Promise<CatalogRow | undefined> {
    const { rows, positions } = await this.#index(scope);
    const position = positions.get(offerId);
    return position === undefined ? undefined : rows[position]?.row;
  }

  /** Builds the index once per priced copy of the catalog. */
  async #index(scope: Scope): Promise<CatalogIndex> {
    const reviewed = await this.#catalog.getReviewed(scope);
    const { snapshot } = reviewed;
    const index = known.get(snapshot) ?? makeIndex(reviewed);
    known.set(snapshot, index);
    index.catch(() => known.delete(snapshot));
    return index;
  }
}

async function makeIndex(reviewed: ReviewedCatalog): Promise<CatalogIndex> {
  const { snapshot, stated, choices } = reviewed;
  const enabled = new Map(stated.map((offer) => [offer.offerId, offer.enabled]));
  const rows: IndexedRow[] = [];
  for (const [index, offer] of snapshot.offers.entries()) {
    if (index % ROWS_AT_A_TIME === ROWS_AT_A_TIME - 1) await pause();
    const isPinned = choices.pins.get(offer.productType)?.includes(offer.offerId) ?? false;
    const state = getOfferState(offer, {
      isStatedOn: enabled.get(offer.offerId) ?? false,
      isOff: choices.switches.isOff(offer),
    });
    rows.push(toIndexedRow(offer, state, isPinned));
  }
  rows.sort((a, b) => (a.order < b.order ? -1 : 1));
  await pause();
  return {
    rows,
    positions: new Map(rows.map(({ row }, index) => [row.offerId, index])),
    summary: summarize(rows),
  };
}

function getOfferState(
  { enabled }: Offer,
  { isStatedOn, isOff }: { isStatedOn: boolean; isOff: boolean },
): OfferState {
  if (!isStatedOn) return "UNAVAILABLE";
  if (isOff) return "OFF";
  return enabled ? "ON" : "BLOCKED";
}

function toIndexedRow(offer: Offer, state: OfferState, pinned: boolean): IndexedRow {
  const { offerId, productType: family, brand, brandName, country, priceType, cost, price } = offer;
  const subTypes: string[] = [...offer.subTypes];
  const notes = offer.shortNotes || offer.notes;
  const row = {
    offerId,
    family,
    brand,
    brandName,
    country,
    subTypes,
    notes,
    priceType,
    cost: viewRange(cost),
    price: viewRange(price),
    state,
    pinned,
  };
  const from = String(price.fixed ?? price.min ?? 0).padStart(PRICE_DIGITS, "0");
  const order = [fold(brandName), country, FAMILIES.indexOf(family), from, offerId].join("\u0000");
  const names = country === "" ? [] : countryNames(country);
  const words = fold([brandName, brand, offerId, notes, country, ...names, ...subTypes].join(" "));
  return { row, offer, order, words };
}

function summarize(rows: readonly IndexedRow[]): CatalogIndex["summary"] {
  const names = new Map(rows.map(({ row }) => [row.brand, row.brandName]));
  return {
    offers: rows.length,
    states: countBy(rows, ({ state }) => [state], OFFER_STATES).map(([state, offers]) => ({
      state,
      offers,
    })),
    families: countBy(rows, ({ family }) => [family], FAMILIES).map(([family, offers]) => ({
      family,
      offers,
    })),
    countries: countBy(rows, ({ country }) => (country === "" ? [] : [country])).map(toCount),
    brands: countBy(rows, ({ brand }) => [brand]).map(([code, offers]) => ({
      code,
      offers,
      name: names.get(code) ?? code,
    })),
    subTypes: countBy(rows, ({ subTypes }) => subTypes).map(toCount),
  };
}

function toCount([code, offers]: [string, number]) {
  return { code, offers };
}

/**
 * Counts each value, most frequent first.
 * @param all values to list even with a count of 0
 */
function countBy<Value extends string>(
  rows: readonly IndexedRow[],
  valuesOf: (row: CatalogRow) => readonly Value[],
  all: readonly Value[] = [],
): [Value, number][] {
  const counts = new Map<Value, number>(all.map((value) => [value, 0]));
  for (const { row } of rows) {
    for (const value of valuesOf(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param code ISO 3166-1 alpha-2 */
function countryNames(code: string): readonly string[] {
  const before = countryNamesKnown.get(code);
  if (before) return before;
  namers ??= LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: "region" }));
  const names = namers.map((namer) => namer.of(code) ?? code);
  countryNamesKnown.set(code, names);
  return names;
}
