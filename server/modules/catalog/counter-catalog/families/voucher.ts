import { counterFamily } from "./family.ts";
import { fieldsOf, headOf, moneyKindOf, rangeOf } from "./view-fields.ts";

export const voucherFamily = counterFamily("VOUCHER", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...headOf(offer, brand),
    send: rangeOf(offer.send),
    deliveryType: offer.deliveryType,
    requiredFields: fieldsOf(offer.requiredFields, brand),
  }),
  kindOf: (offer) => JSON.stringify([moneyKindOf(offer), offer.deliveryType, offer.requiredFields]),
});
