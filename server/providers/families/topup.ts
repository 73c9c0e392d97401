import { inputHead, inputValue, type SuppliedFamily } from "./family.ts";

export const topupFamily: SuppliedFamily = {
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
