import { counterFamily } from "./family.ts";
import { allowancesOf, headOf } from "./view-fields.ts";

export const esimFamily = counterFamily("ESIM", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...headOf(offer, brand),
    ...allowancesOf(offer),
    regions: offer.regions,
    dataSpeeds: offer.dataSpeeds,
    roaming: offer.roaming.map(({ country }) => country),
  }),
  // None has a free amount.
  kindOf: () => null,
});
