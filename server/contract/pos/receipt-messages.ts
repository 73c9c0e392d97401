import { type Static, Type } from "typebox";
import { Environment, PhoneNumber, Timestamp } from "../common.ts";
import { Language } from "./setup.ts";

/** How a message reaches a phone. */
export const MessageChannel = Type.Enum(["SMS", "WHATSAPP"]);
export type MessageChannel = Static<typeof MessageChannel>;

/**
 * What a webhook of kind RECEIPT is posted: a receipt that is to be sent to a customer's phone. It holds no
 * PIN and no code; they are behind the link. `receipt.test` is sent to nobody.
 */
export const ReceiptMessage = Type.Object({
  event: Type.Enum(["receipt.send", "receipt.test"]),
  sendingId: Type.String({ description: "One for each message that is to be sent" }),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  environment: Environment,
  channel: MessageChannel,
  to: PhoneNumber,
  language: Language,
  shopName: Type.String(),
  link: Type.String({ description: "Where the customer sees the receipt" }),
  linkExpiresAt: Timestamp,
});
export type ReceiptMessage = Static<typeof ReceiptMessage>;

/** The example of the description, and what a test sends. */
export const RECEIPT_MESSAGE_SAMPLE: ReceiptMessage = {
  event: "receipt.send",
  sendingId: "0d9c2f64-5a0e-4c3e-9b53-0f5d6c1f8a21",
  saleId: "7b1f6d1e-2f0a-4b7a-8f6e-3c5d9a2e4b10",
  saleNumber: 124,
  environment: "live",
  channel: "SMS",
  to: "+50251234567",
  language: "es",
  shopName: "Tienda Sol",
  link: "https://receipts.shop.example/r/Zk3vYb1mQ0s8xJ2uT5nWc7RdLe9HfGpA",
  linkExpiresAt: "2026-02-14T09:30:00.000Z",
};
