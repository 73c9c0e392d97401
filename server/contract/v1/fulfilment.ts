import type { BillPayRecipient, BillPaySender } from "./billpay-purchases.ts";
import type { EsimConfirmation } from "./esim-purchases.ts";
import type { Confirmation, VoucherField } from "./purchase-record.ts";
import type { Sender } from "./topup-purchases.ts";
import type { VoucherReceipt } from "./voucher-purchases.ts";

/** What a provider hands over with a fulfilled order, by family. */
export interface Fulfilment {
  confirmation: Confirmation;
  /** Of a voucher; the divisor of its currency is the offer's. */
  receipt?: Omit<VoucherReceipt, "currencyDivisor">;
  /** Of an eSIM. */
  esim?: EsimConfirmation;
}

/** What the buyer gave beside offer, recipient and value, by family. */
export interface PurchaseExtras {
  /** Of a top-up. */
  sender?: Sender;
  /** Of a voucher or a bill payment. */
  fields?: VoucherField[];
  /** The eSIM that a plan is added to. */
  iccid?: string;
  /** Of a bill payment. */
  billSender?: BillPaySender;
  billRecipient?: BillPayRecipient;
}
