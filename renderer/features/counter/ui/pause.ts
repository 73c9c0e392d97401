import type { PosBrand } from "../../../../server/contract/pos/brands.ts";

/** Why a brand's sales do not go out at once, and since when. */
export interface Pause {
  /** The brand's name, for people. */
  readonly brandName: string;
  readonly since: string;
  /** The owner paused it: it cannot be sold. Otherwise its provider is slow, and sales wait. */
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
