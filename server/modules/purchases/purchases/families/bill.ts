import {
  BillPayPurchase,
  BillPayPurchaseInput,
  BillPayQuote,
} from "../../../../contract/v1/billpay-purchases.ts";
import { billAccountOf, checkBuyerFields } from "../buyer-fields.ts";
import { prepared, purchasedFamily, VALUE_REFUSALS } from "./family.ts";
import { commonFields, sendFields } from "./record-fields.ts";

export const billFamily = purchasedFamily("BILL_PAY", {
  buying: "Pay a bill",
  refusals: [...VALUE_REFUSALS, "REQUIRED_FIELD_MISSING"],
  input: BillPayPurchaseInput,
  record: BillPayPurchase,
  quote: BillPayQuote,
  lineFields: {
    fields: "optional",
    value: "optional",
    sender: "optional",
    recipient: "optional",
  },

  /** Also compares the payment with the retrieved bill. */
  async prepare({ catalog, bills }, scope, input) {
    const offer = await catalog.getOfferForSale(scope, "BILL_PAY", input.offerId);
    const { fields, value, sender, recipient } = input;
    checkBuyerFields(offer.requiredFields, fields);
    const extras = {
      fields,
      ...(sender && { billSender: sender }),
      ...(recipient && { billRecipient: recipient }),
    };
    const purchase = prepared(scope, offer, input, { recipient: billAccountOf(fields), extras });
    const values = Object.fromEntries(fields.map((field) => [field.key, field.value]));
    const { quote } = purchase;
    const billDue = await bills.checkPayment(scope, offer, { fields: values, value, quote });
    return billDue === undefined ? purchase : { ...purchase, extras: { ...extras, billDue } };
  },

  inputOf: ({ transactionId, offerId, value, fields = [], sender, recipient }) => ({
    transactionId,
    offerId,
    ...(value && { value }),
    fields,
    ...(sender && { sender }),
    ...(recipient && { recipient }),
  }),

  /** rules#bill-parties */
  toRecord(purchase) {
    const { extras, fulfilment } = purchase;
    return {
      ...commonFields(purchase),
      ...sendFields(purchase),
      fields: extras.fields ?? [],
      ...(extras.billSender && { sender: extras.billSender }),
      ...(extras.billRecipient && { recipient: extras.billRecipient }),
      ...(fulfilment && { confirmation: fulfilment.confirmation }),
    };
  },
});
