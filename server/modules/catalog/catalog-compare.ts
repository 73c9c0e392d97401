import type { CheckedCatalog } from "./catalog-check.ts";
import { SECTIONS, type Section } from "./catalog-content.ts";
import { ORDERED } from "./catalog-schema.ts";
import type { StoredCatalog } from "./catalog-store.ts";
import { type CatalogChange, toBrandRow, toOfferRow, toPromoRow } from "./catalog-writes.ts";

/** How many items of a section a new catalog adds, changes and removes. */
export interface SectionReport {
  added: number;
  changed: number;
  removed: number;
}

export type SectionReports = Partial<Record<Section, SectionReport>>;

const TABLES = ["brands", "offers", "promos"] as const;

/** An item as it is kept, by its id; `put` has it written. */
interface Entry {
  id: string;
  text: string;
  put(): void;
}

/** What must be written so that the catalog in use holds what was checked. */
export function compareCatalogs(
  checked: CheckedCatalog,
  stored: StoredCatalog,
): { change: CatalogChange; sections: SectionReports } {
  const change: CatalogChange = {
    brands: { put: [], remove: [] },
    offers: { put: [], remove: [] },
    promos: { put: [], remove: [] },
  };
  const sections: SectionReports = {};
  /** The section each id is in from now on. */
  const placed = { brands: new Map(), offers: new Map(), promos: new Map() };
  for (const section of SECTIONS) {
    const items = checked[section];
    if (!items) continue;
    const report: SectionReport = { added: 0, changed: 0, removed: 0 };
    sections[section] = report;
    const table = tableOf(section);
    for (const { id, text, put } of entriesOf(section, checked, change)) {
      placed[table].set(id, section);
      const before = stored[table].get(id);
      const isKnown = before?.section === section;
      if (isKnown && before.intact && isSame(section, before.text, text)) continue;
      put();
      report[isKnown ? "changed" : "added"]++;
    }
  }
  for (const table of TABLES) {
    for (const [id, { section }] of stored[table]) {
      const report = sections[section];
      const now: unknown = placed[table].get(id);
      if (!report || now === section) continue;
      report.removed++;
      if (now === undefined) change[table].remove.push(id);
    }
  }
  return { change, sections };
}

function tableOf(section: Section): (typeof TABLES)[number] {
  return section === "brands" || section === "promos" ? section : "offers";
}

function* entriesOf(
  section: Section,
  checked: CheckedCatalog,
  change: CatalogChange,
): Generator<Entry> {
  if (section === "brands") {
    for (const row of (checked.brands ?? []).map(toBrandRow)) {
      yield { id: row.brand, text: row.detail_json, put: () => change.brands.put.push(row) };
    }
  } else if (section === "promos") {
    for (const row of (checked.promos ?? []).map(toPromoRow)) {
      yield { id: row.promo_id, text: row.promo_json, put: () => change.promos.put.push(row) };
    }
  } else {
    for (const row of (checked[section] ?? []).map(toOfferRow)) {
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
