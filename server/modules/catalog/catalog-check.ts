import type { Offer } from "../../contract/v1/offers.ts";
import { pause } from "../../lib/clock.ts";
import type { Unit } from "../../lib/money.ts";
import {
  type CatalogBrand,
  type CatalogContent,
  type CatalogPromo,
  SECTIONS,
  type Section,
} from "./catalog-content.ts";
import { faultsOfBrand, faultsOfOffer, faultsOfPromo, type Surroundings } from "./catalog-rules.ts";
import {
  type Check,
  complete,
  type Fault,
  isRecord,
  ORDERED,
  tidyTimes,
} from "./catalog-schema.ts";
import type { StoredCatalog } from "./catalog-store.ts";

/** A new catalog, or some sections of one. A section that is there replaces the one in use. */
export type CatalogInput = Partial<Record<Section, readonly unknown[]>>;

/** What was checked, ready to be kept. */
export type CheckedCatalog = Partial<CatalogContent>;

const ITEMS_AT_ONCE = 200;
const ID_FIELD: Partial<Record<Section, string>> = { brands: "brand", promos: "id" };

interface Givens {
  checks: Record<Section, Check>;
  wallet: Unit;
  stored: StoredCatalog;
}

/**
 * Checks a new catalog by itself and against the sections that stay. Each fault's path begins with
 * the section and the item's position.
 */
export async function checkCatalog(
  input: CatalogInput,
  { checks, wallet, stored }: Givens,
): Promise<{ checked: CheckedCatalog; faults: Fault[] }> {
  const faults: Fault[] = [];
  const checked: Partial<Record<Section, unknown[]>> = {};
  const brandNames = input.brands ? namesIn(input.brands) : stored.brandNames;
  const surroundings = { wallet, brandNames };
  const taken = new Map<string, Section>();
  let count = 0;
  for (const section of SECTIONS) {
    const items = input[section];
    if (!items) continue;
    const kept: unknown[] = [];
    const ids = section === "brands" || section === "promos" ? new Map<string, Section>() : taken;
    for (const [index, item] of items.entries()) {
      if (count++ % ITEMS_AT_ONCE === 0) await pause();
      const completed = complete(section, item, brandNames);
      const found = faultsOfId(completed, section, ids, input, stored);
      const bySchema = checks[section](completed);
      found.push(...bySchema);
      if (bySchema.length === 0) {
        const ordered = ORDERED[section](completed) as Record<string, unknown>;
        found.push(...faultsByRule(section, ordered, surroundings));
        if (found.length === 0) tidyTimes(ordered);
        kept.push(ordered);
      }
      for (const { path, message } of found) {
        faults.push({ path: [section, index, ...path], message });
      }
    }
    checked[section] = kept;
  }
  faults.push(...faultsOfBrandsInUse(input, stored, brandNames));
  return { checked: checked as CheckedCatalog, faults };
}

function namesIn(brands: readonly unknown[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const item of brands) {
    if (!isRecord(item)) continue;
    const { brand, brandName } = item;
    if (typeof brand === "string" && typeof brandName === "string") names.set(brand, brandName);
  }
  return names;
}

/** An id stands once among the brands, the promotions, and the offers of all families. */
function faultsOfId(
  item: unknown,
  section: Section,
  ids: Map<string, Section>,
  input: CatalogInput,
  stored: StoredCatalog,
): Fault[] {
  const field = ID_FIELD[section] ?? "offerId";
  const id = isRecord(item) ? item[field] : undefined;
  if (typeof id !== "string") return [];
  const staying = field === "offerId" ? stored.offers.get(id)?.section : undefined;
  const other = ids.get(id) ?? (staying && !input[staying] ? staying : undefined);
  ids.set(id, section);
  if (!other) return [];
  return [{ path: [field], message: `is ${id}, which is in ${other} already` }];
}

function faultsByRule(section: Section, item: unknown, surroundings: Surroundings): Fault[] {
  if (section === "brands") return faultsOfBrand(item as CatalogBrand);
  if (section === "promos") return faultsOfPromo(item as CatalogPromo, surroundings);
  return faultsOfOffer(item as Offer, surroundings);
}

/** What stays in the catalog keeps its brand, under the same name. */
function faultsOfBrandsInUse(
  input: CatalogInput,
  stored: StoredCatalog,
  brandNames: ReadonlyMap<string, string>,
): Fault[] {
  if (!input.brands) return [];
  const users = new Map<string, { offers: number; promos: number }>();
  for (const [kind, rows] of [
    ["offers", stored.offers],
    ["promos", stored.promos],
  ] as const) {
    for (const { section, brand } of rows.values()) {
      if (input[section]) continue;
      const counts = users.get(brand) ?? { offers: 0, promos: 0 };
      counts[kind]++;
      users.set(brand, counts);
    }
  }
  return [...users].flatMap(([brand, { offers, promos }]): Fault[] => {
    const used = `${offers} offers and ${promos} promotions outside the new catalog`;
    const name = brandNames.get(brand);
    if (name === undefined) {
      return [{ path: ["brands"], message: `leaves out ${brand}, which ${used} need` }];
    }
    const before = stored.brandNames.get(brand);
    if (name === before) return [];
    const index = input.brands?.findIndex((item) => isRecord(item) && item.brand === brand) ?? 0;
    return [{ path: ["brands", index, "brandName"], message: `must stay "${before}" for ${used}` }];
  });
}
