import { counterFamily } from "./family.ts";
import { allowancesOf, headOf, moneyKindOf, rangeOf } from "./view-fields.ts";

export const topupFamily = counterFamily("TOPUP", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...headOf(offer, brand),
    subType: offer.subTypes[0] ?? "Mobile Top Up",
    send: rangeOf(offer.send),
    ...allowancesOf(offer),
  }),
  kindOf: moneyKindOf,
});
