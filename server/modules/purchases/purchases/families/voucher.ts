import {
  VoucherPurchase,
  VoucherPurchaseInput,
  VoucherQuote,
} from "../../../../contract/v1/voucher-purchases.ts";
import { sendUnitOf } from "../../../catalog/catalog/index.ts";
import { checkBuyerFields, recipientOf, withCanonicalNumbers } from "../buyer-fields.ts";
import { prepared, purchasedFamily, VALUE_REFUSALS } from "./family.ts";
import { commonFields, sendFields } from "./record-fields.ts";

export const voucherFamily = purchasedFamily("VOUCHER", {
  buying: "Buy a gift card or pay a utility",
  refusals: [...VALUE_REFUSALS, "REQUIRED_FIELD_MISSING"],
  input: VoucherPurchaseInput,
  record: VoucherPurchase,
  quote: VoucherQuote,
  lineFields: { fields: "optional", value: "optional" },

  async prepare({ catalog }, scope, input) {
    const offer = await catalog.getOfferForSale(scope, "VOUCHER", input.offerId);
    const fields = withCanonicalNumbers(input.fields);
    checkBuyerFields(offer.requiredFields, fields);
    return prepared(scope, offer, input, { recipient: recipientOf(fields), extras: { fields } });
  },

  inputOf: ({ transactionId, offerId, value, fields = [] }) => ({
    transactionId,
    offerId,
    ...(value && { value }),
    fields,
  }),

  /** rules#voucher-receipt */
  toRecord(purchase) {
    const { extras, fulfilment, withheld } = purchase;
    const { currencyDivisor } = sendUnitOf(purchase.offer);
    return {
      ...commonFields(purchase),
      ...sendFields(purchase),
      fields: extras.fields ?? [],
      ...(fulfilment && { confirmation: fulfilment.confirmation }),
      ...(fulfilment?.receipt && {
        receipt: { ...fulfilment.receipt, currencyDivisor, ...(withheld && { withheld }) },
      }),
    };
  },
});
