import { type Static, Type } from "typebox";
import {
  ApprovalId,
  ClientId,
  Environment,
  Input,
  PHONE_NUMBER_PATTERN,
  PhoneNumber,
  Timestamp,
} from "../common.ts";
import { MAIL_ADDRESS_PATTERN } from "./mail.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { SaleParams } from "./sales.ts";
import { Language } from "./setup.ts";

export const MessageChannel = Type.Enum(["SMS", "WHATSAPP"]);
export type MessageChannel = Static<typeof MessageChannel>;

/**
 * Body of a RECEIPT webhook: a receipt to send to a customer's phone. It contains no PIN or code,
 * only the link to them. The receiver must not send a `receipt.test`.
 */
export const ReceiptMessage = Type.Object({
  event: Type.Enum(["receipt.send", "receipt.test"]),
  sendingId: Type.String({ description: "Id of the message" }),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  environment: Environment,
  channel: MessageChannel,
  to: PhoneNumber,
  language: Language,
  shopName: Type.String(),
  link: Type.String({ description: "URL of the receipt page" }),
  linkExpiresAt: Timestamp,
});
export type ReceiptMessage = Static<typeof ReceiptMessage>;

/** Example in the API description, and body of a test message. */
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

export const MOST_LINK_DAYS = 365;

/**
 * Requires TLS, because receipts contain phone numbers and codes. Traffic within this machine needs
 * no TLS.
 */
const PUBLIC_ADDRESS = "https://[A-Za-z0-9.-]+|http://(127\\.0\\.0\\.1|localhost)";

export const ReceiptPageSettings = Input({
  enabled: Type.Boolean({
    description: "True if receipt pages are served; switching it off ends all links",
  }),
  publicUrl: Type.String({
    maxLength: 200,
    pattern: `^((${PUBLIC_ADDRESS})(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?)?$`,
    description:
      "an https address where customers' phones reach this gateway, such as https://receipts.shop.example; empty where there is no such address",
  }),
  keepDays: Type.Integer({
    minimum: 1,
    maximum: MOST_LINK_DAYS,
    description: "a number of days from 1 to 365: how long a new link opens its page",
  }),
  detailsInMail: Type.Boolean({
    description: "True if a mail without a link may contain PINs and codes",
  }),
});
export type ReceiptPageSettings = Static<typeof ReceiptPageSettings>;

/**
 * Devices that can open a link. PUBLIC: any device. NETWORK: phones in the shop's own
 * network, possibly with a browser warning. NONE: no phone, because the gateway
 * accepts only its own machine.
 */
const REACHES = ["PUBLIC", "NETWORK", "NONE"] as const;

/** `GET /pos/receipt-ways`: ways to deliver a receipt besides paper. */
export const ReceiptWays = Type.Object({
  enabled: Type.Boolean(),
  reach: Type.Enum(REACHES),
  warned: Type.Boolean({
    description:
      "True if customers' browsers warn about the shop's address: it needs a trusted certificate, or a proxy",
  }),
  mail: Type.Boolean({ description: "True if the shop can send e-mail" }),
  receiver: Type.Optional(Type.String({ description: "System that sends messages to phones" })),
});
export type ReceiptWays = Static<typeof ReceiptWays>;

const ReceiptLinkParams = Input({ saleId: ClientId, linkId: ClientId });

/**
 * `POST /pos/sales/{saleId}/receipt-links`: a repeated `linkId` returns the same link. A new
 * `linkId` may return an existing link of the same maker and language, if half of its lifetime is
 * left and it was sent to no address. Requires the permission `reprint` for a colleague's sale, and
 * `reveal` if the page will show a PIN or code that is hidden from the requesting person.
 */
export const ReceiptLinkInput = Input({
  linkId: ClientId,
  language: Type.Optional(Language),
  approvalId: ApprovalId,
});
export type ReceiptLinkInput = Static<typeof ReceiptLinkInput>;

/** A link to a receipt page. The URL is shown only to its maker. */
export const ReceiptLink = Type.Object({
  linkId: Type.String(),
  url: Type.Optional(
    Type.String({ description: "Absent if no phone can reach it, or it has ended" }),
  ),
  language: Language,
  madeBy: Type.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: Type.Optional(Timestamp),
  views: Type.Integer(),
  detailsShown: Type.Integer({ description: "Number of times that the page showed a PIN or code" }),
});
export type ReceiptLink = Static<typeof ReceiptLink>;

const SendingWay = Type.Enum(["EMAIL", "MESSAGE"]);
const SendingState = Type.Enum(["WAITING", "SENT", "FAILED"]);

/**
 * Reasons why the gateway did not send a receipt. Tills translate these texts. Any other reason is
 * the text of a mail or message server.
 */
export const SENDING_FAULTS = {
  LINK_OVER: "Its link is over.",
  OTHER_KEY: "Its link was made with another secrets.key. Send the receipt anew.",
  NOBODY: "To whom it goes is no longer kept.",
  NO_WEBHOOK: "Its webhook was removed or is paused.",
} as const;

export const ReceiptSending = Type.Object({
  sendingId: Type.String(),
  way: SendingWay,
  channel: Type.Optional(MessageChannel),
  to: Type.String({ description: "Empty after its erasure" }),
  /** For a MESSAGE, SENT means that the receiver has accepted it; its arrival is unknown. */
  state: SendingState,
  receiver: Type.Optional(Type.String({ description: "System that a message is handed to" })),
  fault: Type.Optional(Type.String({ description: "Reason of the last failure" })),
  sentBy: Type.String(),
  createdAt: Timestamp,
});
export type ReceiptSending = Static<typeof ReceiptSending>;

/** `GET /pos/receipt-sendings` (owner): sent receipts of both environments, newest first. */
export const SentReceiptsQuery = Input({
  state: Type.Optional(SendingState),
  before: Type.Optional(Type.String({ maxLength: 80, description: "`next` of the previous page" })),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
});
export type SentReceiptsQuery = Static<typeof SentReceiptsQuery>;

/** A sent receipt in the owner's list. The address is masked as in the audit trail. */
export const SentReceipt = Type.Object({
  sendingId: Type.String(),
  environment: Environment,
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  way: SendingWay,
  channel: Type.Optional(MessageChannel),
  to: Type.String({ description: "Masked; empty after its erasure" }),
  state: SendingState,
  receiver: Type.Optional(Type.String({ description: "System that a message is handed to" })),
  fault: Type.Optional(Type.String({ description: "Reason of the last failure" })),
  sentBy: Type.String(),
  createdAt: Timestamp,
  endedAt: Type.Optional(Timestamp),
  canSendAgain: Type.Boolean({
    description: "True if it failed, and its address and link still exist",
  }),
});
export type SentReceipt = Static<typeof SentReceipt>;

export const SentReceiptPage = Type.Object({
  list: Type.Array(SentReceipt),
  next: Type.Optional(Type.String({ description: "Cursor of the next page" })),
});
export type SentReceiptPage = Static<typeof SentReceiptPage>;

/**
 * `POST /pos/receipt-sendings/{sendingId}/resend` (owner): sends a failed receipt again,
 * with the same message id.
 */
const SendingParams = Input({ sendingId: ClientId });
const SendingAgainInput = Input({ environment: Environment });

/** `GET /pos/sales/{saleId}/receipt-links`: links and sendings, newest first. */
export const ReceiptLinks = Type.Object({
  links: Type.Array(ReceiptLink),
  sendings: Type.Array(ReceiptSending),
});
export type ReceiptLinks = Static<typeof ReceiptLinks>;

/**
 * `POST /pos/sales/{saleId}/receipt-sendings`: a repeated `sendingId` sends nothing. With a public
 * address, the mail contains a link; otherwise it contains the receipt. With a `channel`, the
 * webhook of kind RECEIPT gets the link and the phone number `to`.
 */
export const ReceiptSendingInput = Input({
  sendingId: ClientId,
  channel: Type.Optional(MessageChannel),
  to: Type.String({
    pattern: `${MAIL_ADDRESS_PATTERN}|${PHONE_NUMBER_PATTERN}`,
    maxLength: 254,
    description: "an e-mail address, or with a channel a phone number in E.164 form",
  }),
  language: Type.Optional(Language),
  approvalId: ApprovalId,
});
export type ReceiptSendingInput = Static<typeof ReceiptSendingInput>;

export const receiptPageOperations = {
  getSettings: defineOperation({
    method: "GET",
    path: "/receipt-pages",
    answer: ReceiptPageSettings,
    access: "owner",
  }),
  setSettings: defineOperation({
    method: "PUT",
    path: "/receipt-pages",
    body: ReceiptPageSettings,
    answer: ReceiptPageSettings,
    access: "owner",
  }),
  ways: defineOperation({
    method: "GET",
    path: "/receipt-ways",
    answer: ReceiptWays,
    access: "seller",
  }),
  list: defineOperation({
    method: "GET",
    path: "/sales/:saleId/receipt-links",
    params: SaleParams,
    answer: ReceiptLinks,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
  make: defineOperation({
    method: "POST",
    path: "/sales/:saleId/receipt-links",
    params: SaleParams,
    body: ReceiptLinkInput,
    answer: ReceiptLink,
    access: "seller",
    rights: ["reprint", "reveal", "seeExpectedCash"],
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  send: defineOperation({
    method: "POST",
    path: "/sales/:saleId/receipt-sendings",
    params: SaleParams,
    body: ReceiptSendingInput,
    answer: ReceiptSending,
    access: "seller",
    rights: ["reprint", "reveal", "seeExpectedCash"],
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  listSent: defineOperation({
    method: "GET",
    path: "/receipt-sendings",
    query: SentReceiptsQuery,
    answer: SentReceiptPage,
    access: "owner",
  }),
  sendAgain: defineOperation({
    method: "POST",
    path: "/receipt-sendings/:sendingId/resend",
    params: SendingParams,
    body: SendingAgainInput,
    answer: SentReceipt,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  revoke: defineOperation({
    method: "DELETE",
    path: "/sales/:saleId/receipt-links/:linkId",
    params: ReceiptLinkParams,
    answer: NOTHING,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
};
