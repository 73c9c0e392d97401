import { useQuery } from "@tanstack/react-query";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { brandsQuery } from "../api/offer-queries.ts";
import { type Pause, pauseOf } from "./pause.ts";

/**
 * Returns the brand's pause; undefined if the brand is neither slow nor paused, or not loaded yet.
 */
export function useBrandPause(productType: Family, brand: string): Pause | undefined {
  const { data } = useQuery(brandsQuery(productType, true));
  return pauseOf(data?.list.find((one) => one.brand === brand));
}
