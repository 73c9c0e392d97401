import type { PosBrandTile } from "../../../../../server/contract/pos/brands.ts";
import type { PickerTile } from "./picker-index.ts";

/**
 * Sorts brands: those featured by the owner, then those of the shop's own country (`home`, ISO
 * 3166-1 alpha-2), then all others.
 */
export function homeFirst<Brand extends PosBrandTile>(
  brands: readonly Brand[],
  home: string,
): readonly PickerTile<Brand>[] {
  const isHome = (brand: Brand) => Number(brand.countries.includes(home));
  const isPinned = (brand: Brand) => Number(brand.pinned ?? false);
  return brands
    .toSorted((a, b) => isPinned(b) - isPinned(a) || isHome(b) - isHome(a))
    .map((brand) => ({
      id: brand.brand,
      name: brand.brandName,
      isHome: brand.countries.includes(home),
      item: brand,
    }));
}

/** Sorts countries: the shop's own country first, then the others by name. */
export function countriesHomeFirst(
  codes: readonly string[],
  home: string,
  nameOf: (code: string) => string,
): readonly PickerTile<string>[] {
  const isHome = (code: string) => Number(code === home);
  return codes
    .map((code) => ({ id: code, name: nameOf(code), item: code }))
    .toSorted((a, b) => isHome(b.item) - isHome(a.item) || a.name.localeCompare(b.name));
}
