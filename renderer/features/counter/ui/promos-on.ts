import type { PosOfferPromo } from "../../../../server/contract/pos/offers.ts";

/** "yes" if a promotion applies to the offer, "may" if it possibly applies. */
export type PromoOn = "yes" | "may" | undefined;

export interface PromosOn {
  readonly promos: readonly PosOfferPromo[];
  of(offerId: string): PromoOn;
}

export function promosOn(
  offers: { readonly promos: readonly PosOfferPromo[] } | undefined,
): PromosOn {
  const promos = offers?.promos ?? [];
  const on = new Set(promos.flatMap(({ offerIds }) => offerIds));
  const may = new Set(promos.flatMap(({ mayOfferIds }) => mayOfferIds));
  return {
    promos,
    of: (offerId) => {
      if (on.has(offerId)) {
        return "yes";
      }
      return may.has(offerId) ? "may" : undefined;
    },
  };
}
