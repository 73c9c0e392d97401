import type { Family } from "../../contract/pos/families.ts";
import { esimFamily } from "./esim.ts";
import { inputHead, inputValue, type SuppliedFamily } from "./family.ts";
import { voucherFamily } from "./voucher.ts";

const topupFamily: SuppliedFamily = {
  simulate: () => ({}),
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    recipientPhoneNumber: order.recipient,
    ...(order.extras.sender && { sender: order.extras.sender }),
    ...inputValue(order),
  }),
  confirmation: "needed",
  readDelivered: () => ({}),
};

const billFamily: SuppliedFamily = {
  simulate: () => ({}),
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    fields: order.extras.fields ?? [],
    ...inputValue(order),
    ...(order.extras.billSender && { sender: order.extras.billSender }),
    ...(order.extras.billRecipient && { recipient: order.extras.billRecipient }),
  }),
  confirmation: "needed",
  readDelivered: () => ({}),
};

export const SUPPLIED_FAMILIES: Readonly<Record<Family, SuppliedFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};
