import { counterFamily } from "./family.ts";
import { toMoneyKind, viewFields, viewHead, viewRange } from "./view-fields.ts";

export const voucherFamily = counterFamily("VOUCHER", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    deliveryType: offer.deliveryType,
    requiredFields: viewFields(offer.requiredFields, brand),
  }),
  kindOf: (offer) => JSON.stringify([toMoneyKind(offer), offer.deliveryType, offer.requiredFields]),
});
