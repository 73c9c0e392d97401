import type { PosBrandOnWall } from "../../../../../server/contract/pos/brands.ts";
import type { PickerTile } from "./picker-index.ts";

/** Brands as tiles, those first that are sold for the shop's own country (ISO 3166-1 alpha-2). */
export function homeFirst<Brand extends PosBrandOnWall>(
  brands: readonly Brand[],
  home: string,
): readonly PickerTile<Brand>[] {
  const isHome = (brand: Brand) => Number(brand.countries.includes(home));
  return brands
    .toSorted((a, b) => isHome(b) - isHome(a))
    .map((brand) => ({ id: brand.brand, name: brand.brandName, item: brand }));
}
