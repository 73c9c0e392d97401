import {
  TopupPurchase,
  TopupPurchaseInput,
  TopupQuote,
} from "../../../../contract/v1/topup-purchases.ts";
import { canonicalNumber } from "../../../catalog/phone-lookup/index.ts";
import { prepared, purchasedFamily, VALUE_REFUSALS } from "./family.ts";
import { commonFields, sendFields } from "./record-fields.ts";

export const topupFamily = purchasedFamily("TOPUP", {
  buying: "Buy a top-up, bundle or data pack",
  refusals: VALUE_REFUSALS,
  input: TopupPurchaseInput,
  record: TopupPurchase,
  quote: TopupQuote,
  lineFields: { recipientPhoneNumber: "required", value: "optional" },

  async prepare({ catalog }, scope, input) {
    const offer = await catalog.getOfferForSale(scope, "TOPUP", input.offerId);
    const { sender } = input;
    const phoneNumber = sender?.phoneNumber && canonicalNumber(sender.phoneNumber);
    const extras = sender ? { sender: { ...sender, ...(phoneNumber && { phoneNumber }) } } : {};
    const recipient = canonicalNumber(input.recipientPhoneNumber);
    return prepared(scope, offer, input, { recipient, extras });
  },

  inputOf: ({ transactionId, offerId, value, recipientPhoneNumber = "" }) => ({
    transactionId,
    offerId,
    ...(value && { value }),
    recipientPhoneNumber,
  }),

  toRecord(purchase) {
    const { offer, extras, fulfilment } = purchase;
    return {
      ...commonFields(purchase),
      recipientPhoneNumber: purchase.recipient,
      ...sendFields(purchase),
      ...(extras.sender && { sender: extras.sender }),
      ...(fulfilment && { confirmation: fulfilment.confirmation }),
      dataGB: offer.dataGB,
      dataUnlimited: offer.dataUnlimited,
      durationDays: offer.durationDays,
      smsNumber: offer.smsNumber,
      smsUnlimited: offer.smsUnlimited,
      voiceMinutes: offer.voiceMinutes,
      voiceUnlimited: offer.voiceUnlimited,
    };
  },
});
