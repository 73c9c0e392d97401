import { searchOperations, type UsualChoice } from "../../../server/contract/pos/search-index.ts";
import { operationQuery } from "../../lib/operation-query.ts";
import type { FoundBrand, Usualness } from "./search-index.ts";

/** Short, because the usual products depend on the hour. */
const STALE_MS = 10 * 60_000;

export function usualChoicesQuery() {
  return {
    ...operationQuery(searchOperations.listUsualChoices),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
  };
}

type Placed = Pick<FoundBrand, "productType" | "brand" | "country">;

/**
 * Returns the scores of offers and brands. The score of a brand in a country is the sum of its
 * offers' scores, at most 1.
 */
export function usualnessOf(choices: readonly UsualChoice[]): Usualness {
  const offers = new Map(choices.map(({ offerId, share }) => [offerId, share]));
  const brands = new Map<string, number>();
  for (const choice of choices) {
    const key = keyOf(choice);
    brands.set(key, Math.min(1, (brands.get(key) ?? 0) + choice.share));
  }
  return (found) =>
    found.offerId === undefined
      ? (brands.get(keyOf(found)) ?? 0)
      : (offers.get(found.offerId) ?? 0);
}

function keyOf({ productType, brand, country }: Placed): string {
  return `${productType}/${brand}/${country}`;
}
