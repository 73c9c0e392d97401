import { type Static, Type } from "typebox";
import { MinorAmount } from "../common.ts";
import { BillPayRecipient, BillPaySender } from "./billpay-purchases.ts";
import { EsimConfirmation } from "./esim-purchases.ts";
import { Confirmation, VoucherField } from "./purchase-record.ts";
import { Sender } from "./topup-purchases.ts";
import { VoucherReceipt } from "./voucher-purchases.ts";

const { currencyDivisor: _ofTheOffer, ...receipt } = VoucherReceipt.properties;

/** Delivered data of an order, by family. */
export const Fulfilment = Type.Object({
  confirmation: Confirmation,
  /** Receipt of a voucher. Its currency has the divisor of the offer. */
  receipt: Type.Optional(Type.Object(receipt)),
  esim: Type.Optional(EsimConfirmation),
});
export type Fulfilment = Static<typeof Fulfilment>;

/** The buyer's input besides offer, recipient and value, by family. */
export const PurchaseExtras = Type.Object({
  sender: Type.Optional(Sender),
  fields: Type.Optional(Type.Array(VoucherField)),
  iccid: Type.Optional(Type.String()),
  billSender: Type.Optional(BillPaySender),
  billRecipient: Type.Optional(BillPayRecipient),
  /**
   * Amount due that the biller stated, in the unit of the delivery; absent if it was not retrieved.
   */
  billDue: Type.Optional(MinorAmount),
});
export type PurchaseExtras = Static<typeof PurchaseExtras>;
