import type { EsimArea } from "../../../../contract/pos/esims.ts";
import type { Offer } from "../../../../contract/v1/offers.ts";

/** The countries that an eSIM works in beside its own; none for other products. */
export function roamingOf(offer: Offer): string[] {
  return offer.productType === "ESIM" ? offer.roaming.map(({ country }) => country) : [];
}

/** The area of an eSIM of a region; undefined for an eSIM of one country, and for other products. */
export function areaOf(offer: Offer): EsimArea | undefined {
  return offer.productType === "ESIM" && offer.country === ""
    ? { regions: offer.regions, countries: roamingOf(offer) }
    : undefined;
}
