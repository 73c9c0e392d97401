import { inputHead, inputValue, type SuppliedFamily } from "./family.ts";

export const billFamily: SuppliedFamily = {
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
