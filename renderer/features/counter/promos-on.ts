import type { PosOfferPromo } from "../../../server/contract/pos/offers.ts";

/** Promotions on what is shown, and the offers they are on. */
export interface PromosOn {
  readonly promos: readonly PosOfferPromo[];
  has(offerId: string): boolean;
}

/** Those that came with a list of offers; none while there is no list. */
export function promosOn(
  offers: { readonly promos: readonly PosOfferPromo[] } | undefined,
): PromosOn {
  const promos = offers?.promos ?? [];
  const marked = new Set(promos.flatMap(({ offerIds }) => offerIds));
  return { promos, has: (offerId) => marked.has(offerId) };
}
