import { useQuery } from "@tanstack/react-query";
import type { PosBrand } from "../../../../server/contract/pos/brands.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { brandsQuery } from "../api/offer-queries.ts";

export interface Pause {
  readonly brandName: string;
  readonly since: string;
  /** True if the owner stopped the brand. False if the provider is slow, so that sales wait. */
  readonly byHand: boolean;
}

export function pauseOf(
  known: Pick<PosBrand, "brandName" | "pausedSince" | "pausedByHand"> | undefined,
): Pause | undefined {
  return known?.pausedSince === undefined
    ? undefined
    : {
        brandName: known.brandName,
        since: known.pausedSince,
        byHand: known.pausedByHand ?? false,
      };
}

/**
 * Returns the brand's pause; undefined if the brand is neither slow nor paused, or not loaded yet.
 */
export function useBrandPause(productType: Family, brand: string): Pause | undefined {
  const { data } = useQuery(brandsQuery(productType, true));
  return pauseOf(data?.list.find((one) => one.brand === brand));
}
