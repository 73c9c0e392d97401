import { SECTIONS } from "../../../contract/catalog-content.ts";
import { FIRST_PROVIDER, toOwnId, toProviderColumn } from "../../../providers/supply.ts";
import type { CatalogInput } from "./catalog-check.ts";
import { isRecord } from "./catalog-schema.ts";
import type { StoredCatalog } from "./catalog-store.ts";

/** A provider's part of the catalog. Its items have our ids, at the positions of the input. */
export interface CatalogPart {
  input: CatalogInput;
  /** Brands whose stored rows stay: other providers use them, or stated them first. */
  keptBrands: ReadonlySet<string>;
  isOwn(item: { providerId: string | null }): boolean;
}

/**
 * Places a provider's catalog beside the items of other providers. A brand that both sell has one
 * row: the first provider's, and otherwise the earlier one. Its name stays while others use it
 * (rules#provider-own).
 */
export function toPart(
  input: CatalogInput,
  stored: StoredCatalog,
  providerId: string,
): CatalogPart {
  const column = toProviderColumn(providerId);
  const isOwn = (item: { providerId: string | null }) => item.providerId === column;
  const used = listUsedBrands(stored, (item) => !isOwn(item));
  const keptBrands = providerId === FIRST_PROVIDER ? used.ofOthers : listKept(input, stored, used);
  const part: CatalogInput = {};
  for (const section of SECTIONS) {
    const items = input[section];
    if (items) {
      part[section] = items.map((item) => toOwnItem(item, { section, providerId, stored, used }));
    }
  }
  const isReplaced = (brand: string) => providerId !== FIRST_PROVIDER || !isStated(input, brand);
  return { input: part, keptBrands: new Set([...keptBrands].filter(isReplaced)), isOwn };
}

interface UsedBrands {
  ofOthers: ReadonlySet<string>;
  own: ReadonlySet<string>;
}

function listUsedBrands(
  stored: StoredCatalog,
  isOfOther: (item: { providerId: string | null }) => boolean,
): UsedBrands {
  const [ofOthers, own] = [new Set<string>(), new Set<string>()];
  for (const rows of [stored.offers, stored.promos]) {
    for (const item of rows.values()) (isOfOther(item) ? ofOthers : own).add(item.brand);
  }
  return { ofOthers, own };
}

/** A later provider adds a brand only for its items, and removes only a brand that it alone used. */
function listKept(input: CatalogInput, stored: StoredCatalog, used: UsedBrands): Set<string> {
  const isAlone = (brand: string) => used.own.has(brand) && !used.ofOthers.has(brand);
  const kept = new Set([...stored.brands.keys()].filter((brand) => !isAlone(brand)));
  const needed = new Set(
    SECTIONS.filter((section) => section !== "brands").flatMap((section) =>
      (input[section] ?? []).flatMap((item) => findBrand(item) ?? []),
    ),
  );
  for (const item of input.brands ?? []) {
    const brand = findBrand(item);
    if (brand !== undefined && !needed.has(brand) && !used.own.has(brand)) kept.add(brand);
  }
  return kept;
}

function findBrand(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { brand } = item;
  if (typeof brand === "string") return brand;
  return isRecord(brand) && typeof brand.brand === "string" ? brand.brand : undefined;
}

function isStated({ brands = [] }: CatalogInput, brand: string): boolean {
  return brands.some((item) => findBrand(item) === brand);
}

function toOwnItem(
  item: unknown,
  place: { section: string; providerId: string; stored: StoredCatalog; used: UsedBrands },
): unknown {
  const { section, providerId, stored, used } = place;
  if (!isRecord(item)) return item;
  const brand = findBrand(item) ?? "";
  const isKept =
    used.ofOthers.has(brand) || (providerId !== FIRST_PROVIDER && !used.own.has(brand));
  const name = isKept ? stored.brandNames.get(brand) : undefined;
  const named = name === undefined ? {} : { brandName: name };
  if (section === "brands") return { ...item, ...named };
  const { id, offerId } = item;
  if (section === "promos") {
    return {
      ...item,
      ...(typeof id === "string" && { id: toOwnId(id, providerId) }),
      ...(isRecord(item.brand) && { brand: { ...item.brand, ...named } }),
    };
  }
  return {
    ...item,
    ...named,
    ...(typeof offerId === "string" && { offerId: toOwnId(offerId, providerId) }),
  };
}
