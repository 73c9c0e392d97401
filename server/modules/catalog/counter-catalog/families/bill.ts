import { counterFamily } from "./family.ts";
import { fieldsOf, headOf, rangeOf } from "./view-fields.ts";

export const billFamily = counterFamily("BILL_PAY", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...headOf(offer, brand),
    send: rangeOf(offer.send),
    requiredFields: fieldsOf(offer.requiredFields, brand),
    supportsBillRetrieval: offer.supportsBillRetrieval,
    retrievalFields: fieldsOf(offer.billRetrievalRequiredFields, brand),
    supportsOverpayment: offer.supportsOverpayment,
    supportsUnderpayment: offer.supportsUnderpayment,
    cutoffTime: offer.cutoffTime,
    processingDays: offer.processingDays,
    processingOnHolidays: offer.processingOnHolidays,
    deliverySpeedSeconds: offer.deliverySpeedSeconds,
  }),
  // A bill has its own amount, so no two bill offers are interchangeable.
  kindOf: () => null,
});
