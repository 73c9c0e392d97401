import { type Static, Type } from "typebox";
import { MinorAmount } from "../common.ts";
import { BillPayRecipient, BillPaySender } from "./billpay-purchases.ts";
import { EsimConfirmation } from "./esim-purchases.ts";
import { Confirmation, VoucherField } from "./purchase-record.ts";
import { Sender } from "./topup-purchases.ts";
import { VoucherReceipt } from "./voucher-purchases.ts";

const { currencyDivisor: _ofTheOffer, ...receipt } = VoucherReceipt.properties;

/** Delivery of a fulfilled order, by family. */
export const Fulfilment = Type.Object({
  confirmation: Confirmation,
  /** Receipt of a voucher; the divisor of its currency is the offer's. */
  receipt: Type.Optional(Type.Object(receipt)),
  esim: Type.Optional(EsimConfirmation),
});
export type Fulfilment = Static<typeof Fulfilment>;

/** The buyer's input besides offer, recipient and value, by family, and the basis of its check. */
export const PurchaseExtras = Type.Object({
  /** Sender of a top-up. */
  sender: Type.Optional(Sender),
  /** Fields of a voucher or a bill payment. */
  fields: Type.Optional(Type.Array(VoucherField)),
  /** eSIM that gets the plan. */
  iccid: Type.Optional(Type.String()),
  billSender: Type.Optional(BillPaySender),
  billRecipient: Type.Optional(BillPayRecipient),
  /** Amount due as stated by the biller, in the unit that is delivered; absent if it was not retrieved. */
  billDue: Type.Optional(MinorAmount),
});
export type PurchaseExtras = Static<typeof PurchaseExtras>;
