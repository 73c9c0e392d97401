import { pause } from "../../lib/clock.ts";
import type { CheckedCatalog } from "./catalog-check.ts";
import { SECTIONS, type Section } from "./catalog-content.ts";
import {
  CATALOG_TABLES,
  type CatalogChange,
  type CatalogTable,
  toBrandRow,
  toOfferRow,
  toPromoRow,
} from "./catalog-rows.ts";
import { ORDERED } from "./catalog-schema.ts";
import type { StoredCatalog } from "./catalog-store.ts";

/** How many items of a section a new catalog adds, changes and removes. */
export interface SectionReport {
  added: number;
  changed: number;
  removed: number;
}

export type SectionReports = Partial<Record<Section, SectionReport>>;

/** How many items are compared before other work gets a turn. */
const COMPARED_AT_A_TIME = 200;

/** An item as it is kept, by its id; `put` has it written. */
interface Entry {
  id: string;
  text: string;
  put(): void;
}

/**
 * One item that a new catalog adds (without `before`), removes (without `after`) or changes: each side
 * is the item as stated, as JSON. What a fault of the disk has changed may not be readable.
 */
export interface ItemChange {
  section: Section;
  /** An offer's id, a brand's code, a promotion's id. */
  id: string;
  before?: string;
  after?: string;
}

/**
 * What must be written so that the catalog in use holds what was checked, in steps that let other work
 * in between.
 * @param note hears of each item that differs
 */
export async function compareCatalogs(
  checked: CheckedCatalog,
  stored: StoredCatalog,
  note: (change: ItemChange) => void = () => {},
): Promise<{ change: CatalogChange; sections: SectionReports }> {
  const change: CatalogChange = {
    brands: { put: [], remove: [] },
    offers: { put: [], remove: [] },
    promos: { put: [], remove: [] },
  };
  const sections: SectionReports = {};
  /** The section each id is in from now on. */
  const placed = { brands: new Map(), offers: new Map(), promos: new Map() };
  let compared = 0;
  for (const section of SECTIONS) {
    const items = checked[section];
    if (!items) continue;
    const report: SectionReport = { added: 0, changed: 0, removed: 0 };
    sections[section] = report;
    const table = tableOf(section);
    for (const { id, text, put } of entriesOf(section, checked, change)) {
      if (++compared % COMPARED_AT_A_TIME === 0) await pause();
      placed[table].set(id, section);
      const before = stored[table].get(id);
      const isKnown = before?.section === section;
      if (isKnown && before.intact && isSame(section, before.text, text)) continue;
      put();
      report[isKnown ? "changed" : "added"]++;
      note({ section, id, ...(isKnown && { before: before.text }), after: text });
    }
  }
  for (const table of CATALOG_TABLES) {
    for (const [id, { section, text }] of stored[table]) {
      const report = sections[section];
      const now: unknown = placed[table].get(id);
      if (!report || now === section) continue;
      report.removed++;
      note({ section, id, before: text });
      if (now === undefined) change[table].remove.push(id);
    }
  }
  return { change, sections };
}

function tableOf(section: Section): CatalogTable {
  return section === "brands" || section === "promos" ? section : "offers";
}

function* entriesOf(
  section: Section,
  checked: CheckedCatalog,
  change: CatalogChange,
): Generator<Entry> {
  if (section === "brands") {
    for (const brand of checked.brands ?? []) {
      const row = toBrandRow(brand);
      yield { id: row.brand, text: row.detail_json, put: () => change.brands.put.push(row) };
    }
  } else if (section === "promos") {
    for (const promo of checked.promos ?? []) {
      const row = toPromoRow(promo);
      yield { id: row.promo_id, text: row.promo_json, put: () => change.promos.put.push(row) };
    }
  } else {
    for (const offer of checked[section] ?? []) {
      const row = toOfferRow(offer);
      yield { id: row.offer_id, text: row.offer_json, put: () => change.offers.put.push(row) };
    }
  }
}

/** Rows of older versions may have their fields in another order. */
function isSame(section: Section, before: string, now: string): boolean {
  if (before === now) return true;
  const stored: unknown = JSON.parse(before);
  return JSON.stringify(ORDERED[section](stored)) === now;
}
