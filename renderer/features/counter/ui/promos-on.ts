import type { PosOfferPromo } from "../../../../server/contract/pos/offers.ts";

/** What a tile says of promotions: one applies to it, or may. */
export type PromoOn = "yes" | "may" | undefined;

/** Promotions on what is shown, and the offers they are on. */
export interface PromosOn {
  readonly promos: readonly PosOfferPromo[];
  of(offerId: string): PromoOn;
}

/** Those that came with a list of offers; none while there is no list. */
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
