import type { EsimArea } from "../../contract/pos/esims.ts";
import type { Offer } from "../../contract/v1/offers.ts";

/** Where an eSIM of a region works; undefined for what is for one country, and for other products. */
export function areaOf(offer: Offer): EsimArea | undefined {
  return offer.productType === "ESIM" && offer.country === ""
    ? { regions: offer.regions, countries: offer.roaming.map(({ country }) => country) }
    : undefined;
}
