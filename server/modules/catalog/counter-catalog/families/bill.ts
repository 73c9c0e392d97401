import { counterFamily } from "./family.ts";
import { viewFields, viewHead, viewRange } from "./view-fields.ts";

export const billFamily = counterFamily("BILL_PAY", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    requiredFields: viewFields(offer.requiredFields, brand),
    supportsBillRetrieval: offer.supportsBillRetrieval,
    retrievalFields: viewFields(offer.billRetrievalRequiredFields, brand),
    supportsOverpayment: offer.supportsOverpayment,
    supportsUnderpayment: offer.supportsUnderpayment,
    cutoffTime: offer.cutoffTime,
    processingDays: offer.processingDays,
    processingOnHolidays: offer.processingOnHolidays,
    deliverySpeedSeconds: offer.deliverySpeedSeconds,
  }),
  // Bills are not interchangeable, because each bill has its own amount.
  kindOf: () => null,
});
