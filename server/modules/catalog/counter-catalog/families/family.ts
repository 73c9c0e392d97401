import type { CatalogBrand } from "../../../../contract/catalog-content.ts";
import type { PosOffer } from "../../../../contract/pos/offers.ts";
import type { Offer, OfferOf, ProductFamily } from "../../../../contract/v1/offers.ts";

type ViewOf<View> = View extends unknown ? Omit<View, "costRank"> : never;
type PosOfferOf<F extends ProductFamily> = Extract<PosOffer, { productType: F }>;

interface OwnFamily<F extends ProductFamily> {
  view(offer: OfferOf<F>, brand: CatalogBrand | undefined): ViewOf<PosOfferOf<F>>;
  /**
   * Returns a key that interchangeable offers share, or null. A RANGE offer has the same price as a
   * FIXED offer with the same key and amount.
   */
  kindOf(offer: OfferOf<F>): string | null;
}

/** Both functions throw a RangeError for an offer of another family. */
export interface CounterFamily {
  view(offer: Offer, brand: CatalogBrand | undefined): ViewOf<PosOffer>;
  kindOf(offer: Offer): string | null;
}

export function counterFamily<F extends ProductFamily>(family: F, own: OwnFamily<F>) {
  const isOwn = (offer: Offer): offer is OfferOf<F> => offer.productType === family;
  const ownOf = (offer: Offer): OfferOf<F> => {
    if (isOwn(offer)) return offer;
    throw new RangeError(`an offer of ${offer.productType} does not belong to ${family}`);
  };
  return {
    view: (offer, brand) => own.view(ownOf(offer), brand),
    kindOf: (offer) => own.kindOf(ownOf(offer)),
  } satisfies CounterFamily;
}
