import type { PosOffer } from "../../../../contract/pos/offers.ts";
import type { Offer, OfferOf, ProductFamily } from "../../../../contract/v1/offers.ts";
import type { CatalogBrand } from "../../catalog/index.ts";

/** A view without its position among the costs. */
type ViewOf<View> = View extends unknown ? Omit<View, "costRank"> : never;
type PosOfferOf<F extends ProductFamily> = Extract<PosOffer, { productType: F }>;

/** How the offers of one family are shown and compared. */
interface OwnFamily<F extends ProductFamily> {
  /** What the customer pays and gets. */
  view(offer: OfferOf<F>, brand: CatalogBrand | undefined): ViewOf<PosOfferOf<F>>;
  /**
   * What offers have in common, besides their amounts, of which one at a free amount and one at a
   * fixed one are sold at the same price; null where none is like another.
   */
  kindOf(offer: OfferOf<F>): string | null;
}

/** A family as the counter knows it, which has offers of any. Both throw RangeError for another's. */
export interface CounterFamily {
  view(offer: Offer, brand: CatalogBrand | undefined): ViewOf<PosOffer>;
  kindOf(offer: Offer): string | null;
}

export function counterFamily<F extends ProductFamily>(family: F, own: OwnFamily<F>) {
  const isOwn = (offer: Offer): offer is OfferOf<F> => offer.productType === family;
  const ownOf = (offer: Offer): OfferOf<F> => {
    if (isOwn(offer)) return offer;
    throw new RangeError(`an offer of ${offer.productType} is not one of ${family}`);
  };
  return {
    view: (offer, brand) => own.view(ownOf(offer), brand),
    kindOf: (offer) => own.kindOf(ownOf(offer)),
  } satisfies CounterFamily;
}
