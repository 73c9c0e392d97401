import type { PosBrand } from "../../../../server/contract/pos/brands.ts";

/** Reason and start of a brand's pause. */
export interface Pause {
  readonly brandName: string;
  readonly since: string;
  /**
   * The owner paused the brand: it cannot be sold. If false, its provider is slow and sales wait.
   */
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
