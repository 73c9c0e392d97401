import type { PosBrand } from "../../../server/contract/pos/brands.ts";

/** Why a brand's sales do not go out at once, and since when. */
export interface Pause {
  readonly since: string;
  /** The owner paused it: it cannot be sold. Otherwise its provider is slow, and sales wait. */
  readonly byHand: boolean;
}

export function pauseOf(
  known: Pick<PosBrand, "pausedSince" | "pausedByHand"> | undefined,
): Pause | undefined {
  return known?.pausedSince === undefined
    ? undefined
    : { since: known.pausedSince, byHand: known.pausedByHand ?? false };
}
