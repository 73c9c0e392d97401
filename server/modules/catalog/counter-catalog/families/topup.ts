import { counterFamily } from "./family.ts";
import { toMoneyKind, viewAllowances, viewHead, viewRange } from "./view-fields.ts";

export const topupFamily = counterFamily("TOPUP", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    subType: offer.subTypes[0] ?? "Mobile Top Up",
    send: viewRange(offer.send),
    ...viewAllowances(offer),
  }),
  kindOf: toMoneyKind,
});
