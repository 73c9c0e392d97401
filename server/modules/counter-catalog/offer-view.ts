import type { PosOffer } from "../../contract/pos/offers.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { CatalogBrand } from "../catalog/index.ts";
import { COUNTER_FAMILIES } from "./families/index.ts";

/**
 * An offer as the counter shows it: what the customer pays and gets; of what the shop pays, only its
 * position among all costs.
 */
export function toPosOffer(
  offer: Offer,
  brand: CatalogBrand | undefined,
  costRank: number,
): PosOffer {
  return { ...COUNTER_FAMILIES[offer.productType].view(offer, brand), costRank };
}

/** What the customer pays for an offer, fee included; undefined where the customer chooses the amount. */
export function fixedPriceOf({ price }: Offer): number | undefined {
  return price.fixed === undefined ? undefined : price.fixed + price.fee;
}
