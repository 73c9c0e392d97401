import type { PosBrand } from "../../../../server/contract/pos/brands.ts";

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
