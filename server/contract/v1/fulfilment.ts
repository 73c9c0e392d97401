import { type Static, Type } from "typebox";
import { MinorAmount } from "../common.ts";
import { BillPayRecipient, BillPaySender } from "./billpay-purchases.ts";
import { EsimConfirmation } from "./esim-purchases.ts";
import { Confirmation, VoucherField } from "./purchase-record.ts";
import { Sender } from "./topup-purchases.ts";
import { VoucherReceipt } from "./voucher-purchases.ts";

const { currencyDivisor: _ofTheOffer, ...receipt } = VoucherReceipt.properties;

/** What a provider hands over with a fulfilled order, by family. */
export const Fulfilment = Type.Object({
  confirmation: Confirmation,
  /** Of a voucher; the divisor of its currency is the offer's. */
  receipt: Type.Optional(Type.Object(receipt)),
  /** Of an eSIM. */
  esim: Type.Optional(EsimConfirmation),
});
export type Fulfilment = Static<typeof Fulfilment>;

/** What the buyer gave beside offer, recipient and value, by family, and what it was checked against. */
export const PurchaseExtras = Type.Object({
  /** Of a top-up. */
  sender: Type.Optional(Sender),
  /** Of a voucher or a bill payment. */
  fields: Type.Optional(Type.Array(VoucherField)),
  /** The eSIM that a plan is added to. */
  iccid: Type.Optional(Type.String()),
  /** Of a bill payment. */
  billSender: Type.Optional(BillPaySender),
  billRecipient: Type.Optional(BillPayRecipient),
  /** What was due as the biller said it, in the unit that is delivered; absent where nobody had asked. */
  billDue: Type.Optional(MinorAmount),
});
export type PurchaseExtras = Static<typeof PurchaseExtras>;
