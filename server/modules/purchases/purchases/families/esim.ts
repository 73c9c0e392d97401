import {
  EsimPurchase,
  EsimPurchaseInput,
  EsimQuote,
} from "../../../../contract/v1/esim-purchases.ts";
import { prepared, purchasedFamily } from "./family.ts";
import { commonFields } from "./record-fields.ts";

export const esimFamily = purchasedFamily("ESIM", {
  buying: "Buy an eSIM, or a plan for one",
  refusals: [],
  input: EsimPurchaseInput,
  record: EsimPurchase,
  quote: EsimQuote,
  lineFields: { iccid: "optional" },

  /** Does not check the ICCID, because the engine checks it later. */
  async prepare({ catalog }, scope, input) {
    const offer = await catalog.getOfferForSale(scope, "ESIM", input.offerId);
    const { offerId: _, transactionId, ...extras } = input;
    return prepared(scope, offer, { transactionId }, { recipient: "", extras });
  },

  inputOf: ({ transactionId, offerId, iccid }) => ({
    transactionId,
    offerId,
    ...(iccid !== undefined && { iccid }),
  }),

  /** rules#esim-confirmation */
  toRecord(purchase) {
    const { offer, fulfilment, withheld, refundStatus } = purchase;
    return {
      ...commonFields(purchase),
      ...(fulfilment?.esim && {
        confirmation: { ...fulfilment.esim, ...(withheld && { withheld }) },
      }),
      dataGB: offer.dataGB,
      dataSpeeds: offer.dataSpeeds,
      dataUnlimited: offer.dataUnlimited,
      durationDays: offer.durationDays,
      roaming: offer.roaming,
      smsNumber: offer.smsNumber,
      smsUnlimited: offer.smsUnlimited,
      voiceMinutes: offer.voiceMinutes,
      voiceUnlimited: offer.voiceUnlimited,
      ...(refundStatus && { refund: { status: refundStatus } }),
    };
  },
});
