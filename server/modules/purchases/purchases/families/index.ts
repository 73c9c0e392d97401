import {
  BillPayPurchase,
  BillPayPurchaseInput,
  BillPayQuote,
} from "../../../../contract/v1/billpay-purchases.ts";
import {
  EsimPurchase,
  EsimPurchaseInput,
  EsimQuote,
} from "../../../../contract/v1/esim-purchases.ts";
import type { ProductFamily } from "../../../../contract/v1/offers.ts";
import {
  TopupPurchase,
  TopupPurchaseInput,
  TopupQuote,
} from "../../../../contract/v1/topup-purchases.ts";
import {
  VoucherPurchase,
  VoucherPurchaseInput,
  VoucherQuote,
} from "../../../../contract/v1/voucher-purchases.ts";
import { sendUnitOf } from "../../../catalog/catalog/index.ts";
import { canonicalNumber } from "../../../catalog/phone-lookup/index.ts";
import {
  billAccountOf,
  checkBuyerFields,
  recipientOf,
  withCanonicalNumbers,
} from "../buyer-fields.ts";
import type { StoredPurchase } from "../purchase-store.ts";
import {
  commonFields,
  type PurchasedFamily,
  prepared,
  purchasedFamily,
  sendFields,
  VALUE_REFUSALS,
} from "./family.ts";

const topupFamily = purchasedFamily("TOPUP", {
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

const voucherFamily = purchasedFamily("VOUCHER", {
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

const esimFamily = purchasedFamily("ESIM", {
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

const billFamily = purchasedFamily("BILL_PAY", {
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

export const PURCHASED_FAMILIES: Readonly<Record<ProductFamily, PurchasedFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};

/** Returns the record as GET returns it. */
export function toRecord(purchase: StoredPurchase): object {
  return PURCHASED_FAMILIES[purchase.offer.productType].toRecord(purchase);
}
