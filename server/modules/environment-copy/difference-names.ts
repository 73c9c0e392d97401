import type {
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../contract/pos/environment-copy.ts";
import type { Offer } from "../../contract/v1/offers.ts";

/** What the brands and offers that differences name are called, by either catalog. */
export function namesIn(
  list: readonly EnvironmentDifference[],
  catalog: readonly Offer[],
): Pick<EnvironmentDifferences, "brands" | "offers"> {
  const targets = list.flatMap(({ rule, target }) => [
    ...[rule?.from?.target, rule?.to?.target].flatMap((of) => (of ? [of] : [])),
    ...(target ? [target] : []),
  ]);
  const brandsNamed = new Set(targets.map(({ brand }) => brand));
  const offersNamed = new Set([
    ...targets.map(({ offerId }) => offerId),
    ...list.flatMap(({ pins, missing }) => [
      ...(pins?.from ?? []),
      ...(pins?.to ?? []),
      ...missing,
    ]),
  ]);
  const brands = new Map<string, string>();
  const offers = new Map<string, EnvironmentDifferences["offers"][number]>();
  for (const { offerId, brand, brandName, shortNotes: title } of catalog) {
    if (brandsNamed.has(brand)) brands.set(brand, brandName);
    if (offersNamed.has(offerId)) offers.set(offerId, { offerId, brandName, title });
  }
  return {
    brands: [...brands].map(([brand, brandName]) => ({ brand, brandName })),
    offers: [...offers.values()],
  };
}
