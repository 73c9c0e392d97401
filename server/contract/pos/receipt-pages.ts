import { type Static, Type } from "typebox";
import { Environment, Input, PHONE_NUMBER_PATTERN, PhoneNumber, Timestamp } from "../common.ts";
import { ApprovalId, ClientId } from "./client-id.ts";
import { MAIL_ADDRESS_PATTERN } from "./mail.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { SaleParams } from "./sales.ts";
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

export const MOST_LINK_DAYS = 365;

/** By TLS alone: a receipt has numbers and codes. On this machine nobody is between. */
const PUBLIC_ADDRESS = "https://[A-Za-z0-9.-]+|http://(127\\.0\\.0\\.1|localhost)";

/** `GET|PUT /pos/receipt-pages` (owner): receipts as pages that customers open. */
export const ReceiptPageSettings = Input({
  enabled: Type.Boolean({ description: "Whether receipts are pages at all; links end with it" }),
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
    description: "Whether PINs and codes may stand in a mail, where it cannot hold a link",
  }),
});
export type ReceiptPageSettings = Static<typeof ReceiptPageSettings>;

/**
 * Who can open a link: everybody with the shop's PUBLIC address; phones in the shop's own NETWORK, also by an
 * address of which their browsers warn; nobody (NONE), since the gateway is heard on its own machine alone.
 */
const REACHES = ["PUBLIC", "NETWORK", "NONE"] as const;

/** `GET /pos/receipt-ways`: how a receipt can reach its customer, beside paper. */
export const ReceiptWays = Type.Object({
  enabled: Type.Boolean(),
  reach: Type.Enum(REACHES),
  warned: Type.Boolean({
    description:
      "Customers' browsers warn of the shop's address: it takes a certificate of one's own, or a proxy",
  }),
  mail: Type.Boolean({ description: "The shop sends e-mail" }),
  receiver: Type.Optional(
    Type.String({ description: "Whom a message is handed over to, which sends it to a phone" }),
  ),
});
export type ReceiptWays = Static<typeof ReceiptWays>;

const ReceiptLinkParams = Input({ saleId: ClientId, linkId: ClientId });

/**
 * `POST /pos/sales/{saleId}/receipt-links`: sent again with the same `linkId`, it answers with the same
 * link. With a new one it answers with a link of the same maker and language that has half of its time left,
 * where there is one that went to no customer's address. Takes the right `reprint` for a colleague's sale, and `reveal` where the page will show a PIN or
 * code that is hidden from the person who asks.
 */
export const ReceiptLinkInput = Input({
  linkId: ClientId,
  language: Type.Optional(Language),
  approvalId: ApprovalId,
});
export type ReceiptLinkInput = Static<typeof ReceiptLinkInput>;

/** A link to the page of a receipt. The link itself is shown only to the person who made it. */
export const ReceiptLink = Type.Object({
  linkId: Type.String(),
  url: Type.Optional(
    Type.String({ description: "Absent where no phone can reach it, or it ended" }),
  ),
  language: Language,
  madeBy: Type.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: Type.Optional(Timestamp),
  views: Type.Integer(),
  firstViewedAt: Type.Optional(Timestamp),
  lastViewedAt: Type.Optional(Timestamp),
  detailsShown: Type.Integer({ description: "How often a PIN or code was shown on the page" }),
});
export type ReceiptLink = Static<typeof ReceiptLink>;

const SendingWay = Type.Enum(["EMAIL", "MESSAGE"]);
const SendingState = Type.Enum(["WAITING", "SENT", "FAILED"]);

/** Why the till itself did not send one; tills say it in their own words. All else is what a server said. */
export const SENDING_FAULTS = {
  LINK_OVER: "Its link is over.",
  OTHER_KEY: "Its link was made with another secrets.key. Send the receipt anew.",
  NOBODY: "To whom it goes is no longer kept.",
  NO_WEBHOOK: "Its webhook was removed or is paused.",
} as const;

/** One that was asked to be sent to a customer. */
export const ReceiptSending = Type.Object({
  sendingId: Type.String(),
  way: SendingWay,
  channel: Type.Optional(MessageChannel),
  to: Type.String({ description: "Empty once it is no longer kept" }),
  /** A MESSAGE that was SENT was handed over: whether it arrived is not known. */
  state: SendingState,
  receiver: Type.Optional(Type.String({ description: "Whom a message is handed over to" })),
  fault: Type.Optional(Type.String({ description: "Why it did not go, last" })),
  sentBy: Type.String(),
  createdAt: Timestamp,
});
export type ReceiptSending = Static<typeof ReceiptSending>;

/** `GET /pos/receipt-sendings` (owner): the newest first, of both environments. */
export const SentReceiptsQuery = Input({
  state: Type.Optional(SendingState),
  before: Type.Optional(
    Type.String({ maxLength: 80, description: "`next` of the page before, as it was answered" }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
});
export type SentReceiptsQuery = Static<typeof SentReceiptsQuery>;

/** A receipt that was sent to a customer, as owners list it: to whom is said as the audit trail says it. */
export const SentReceipt = Type.Object({
  sendingId: Type.String(),
  environment: Environment,
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  way: SendingWay,
  channel: Type.Optional(MessageChannel),
  to: Type.String({ description: "Shortened; empty once it is no longer kept" }),
  state: SendingState,
  receiver: Type.Optional(Type.String({ description: "Whom a message is handed over to" })),
  fault: Type.Optional(Type.String({ description: "Why it did not go, last" })),
  sentBy: Type.String(),
  createdAt: Timestamp,
  endedAt: Type.Optional(Timestamp),
  canSendAgain: Type.Boolean({
    description: "It failed, and its address and link are still there",
  }),
});
export type SentReceipt = Static<typeof SentReceipt>;

export const SentReceiptPage = Type.Object({
  list: Type.Array(SentReceipt),
  next: Type.Optional(Type.String({ description: "Where older ones begin" })),
});
export type SentReceiptPage = Static<typeof SentReceiptPage>;

/** `POST /pos/receipt-sendings/{sendingId}/resend` (owner): one that failed, under the same message id. */
const SendingParams = Input({ sendingId: ClientId });
const SendingAgainInput = Input({ environment: Environment });

/** `GET /pos/sales/{saleId}/receipt-links`: the newest first. */
export const ReceiptLinks = Type.Object({
  links: Type.Array(ReceiptLink),
  sendings: Type.Array(ReceiptSending),
});
export type ReceiptLinks = Static<typeof ReceiptLinks>;

/**
 * `POST /pos/sales/{saleId}/receipt-sendings`: sent again with the same `sendingId`, nothing is sent twice.
 * With a public address the mail holds a link, otherwise the receipt itself. With a `channel` the link is
 * handed over to the webhook of kind RECEIPT, for the number `to`.
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

/** Receipts as pages, and how customers get to them. */
export const receiptPageOperations = {
  getSettings: defineOperation({
    method: "GET",
    path: "/receipt-pages",
    answer: ReceiptPageSettings,
    access: "owner",
    refusals: [],
  }),
  setSettings: defineOperation({
    method: "PUT",
    path: "/receipt-pages",
    body: ReceiptPageSettings,
    answer: ReceiptPageSettings,
    access: "owner",
    refusals: [],
  }),
  ways: defineOperation({
    method: "GET",
    path: "/receipt-ways",
    answer: ReceiptWays,
    access: "seller",
    refusals: [],
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
    refusals: [],
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
