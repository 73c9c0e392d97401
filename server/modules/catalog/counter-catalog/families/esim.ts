import type { EsimArea } from "../../../../contract/pos/esims.ts";
import type { Offer } from "../../../../contract/v1/offers.ts";
import { counterFamily } from "./family.ts";
import { viewAllowances, viewHead } from "./view-fields.ts";

export const esimFamily = counterFamily("ESIM", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    ...viewAllowances(offer),
    regions: offer.regions,
    dataSpeeds: offer.dataSpeeds,
    roaming: offer.roaming.map(({ country }) => country),
  }),
  // The buyer cannot choose an eSIM's value, so a typed amount never matches another offer.
  kindOf: () => null,
});

export function listRoaming(offer: Offer): string[] {
  return offer.productType === "ESIM" ? offer.roaming.map(({ country }) => country) : [];
}

export function getArea(offer: Offer): EsimArea | undefined {
  return offer.productType === "ESIM" && offer.country === ""
    ? { regions: offer.regions, countries: listRoaming(offer) }
    : undefined;
}
