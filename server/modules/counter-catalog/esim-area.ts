import type { EsimArea } from "../../contract/pos/esims.ts";
import type { Offer } from "../../contract/v1/offers.ts";

/** The area of an eSIM of a region; undefined for an eSIM of one country, and for other products. */
export function areaOf(offer: Offer): EsimArea | undefined {
  return offer.productType === "ESIM" && offer.country === ""
    ? { regions: offer.regions, countries: offer.roaming.map(({ country }) => country) }
    : undefined;
}
