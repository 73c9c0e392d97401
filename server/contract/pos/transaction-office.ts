import { type Static, Type } from "typebox";
import {
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { Family } from "./families.ts";
import { days } from "./figures.ts";
import { defineOperation } from "./operation.ts";
import { Deviation } from "./provider-answers.ts";

export const OFFICE_STATUSES = ["UNFINISHED", "DONE", "FAILED"] as const;
export type OfficeStatus = (typeof OFFICE_STATUSES)[number];

/**
 * Query of `GET /pos/transactions`. `typed` is a complete transaction id, sale id, sale number,
 * recipient, ICCID, or confirmation or reference number of the provider.
 */
export const OfficeTransactionsQuery = Input({
  typed: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" }),
  ),
  status: Type.Optional(Type.Enum(OFFICE_STATUSES)),
  firstDay: Type.Optional(days.firstDay),
  lastDay: Type.Optional(days.lastDay),
  before: Type.Optional(
    Type.String({ maxLength: 160, description: "`next` of the previous page" }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
});
export type OfficeTransactionsQuery = Static<typeof OfficeTransactionsQuery>;

/** A purchase as the back office lists it: sold at the till, or bought through `/v1`. */
export const OfficeTransaction = Type.Object({
  transactionId: Type.String(),
  family: Family,
  status: TransactionStatus,
  createdAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  brandName: Type.String(),
  title: Type.String({ description: "Title in the catalog at the sale" }),
  country: Type.String(),
  recipient: Type.String({ description: "Empty without a recipient" }),
  needsDecision: Type.Boolean({ description: "True if its case must be settled" }),
  canceled: Type.Boolean({ description: "True if the provider refunded it after its delivery" }),
  key: Type.Optional(
    Type.Object(
      { keyId: Type.String(), name: Type.String() },
      { description: "API key of a purchase through /v1" },
    ),
  ),
  sale: Type.Optional(
    Type.Object({
      saleId: Type.String(),
      saleNumber: Type.Integer(),
      clerk: Type.String(),
      amount: MinorAmount,
      ...currencyUnit,
    }),
  ),
});
export type OfficeTransaction = Static<typeof OfficeTransaction>;

/** Transactions, newest first. With the filter UNFINISHED, the oldest come first. */
export const OfficeTransactions = Type.Object({
  environment: Environment,
  list: Type.Array(OfficeTransaction),
  next: Type.Optional(Type.String({ description: "Cursor of the next page; absent at the end" })),
});
export type OfficeTransactions = Static<typeof OfficeTransactions>;

const OfficeTransactionParams = Input({ transactionId: TransactionId });

const EVENTS = [
  "SOLD",
  "STATE",
  "ANSWER",
  "MOVED",
  "PRINTED",
  "REVEALED",
  "DISCOUNT",
  "APPROVED",
  "MONEY_BACK",
  "PAYMENT_MOVED",
  "ESIM_REFUND",
  "SETTLED",
] as const;

/**
 * An event of a transaction or its sale. STATE: the transaction changed to `status`. ANSWER: an
 * attempt failed with the provider's `text`. MOVED: it went to another `provider`, because of `text`. ESIM_REFUND: the refund changed to `status`. SETTLED:
 * the case was settled with the note `text`. PAYMENT_MOVED: the undelivered line was sold again as
 * sale `saleNumber`, paid with the same money.
 */
export const TimelineEvent = Type.Object({
  at: Timestamp,
  what: Type.Enum(EVENTS),
  by: Type.Optional(Type.String({ description: "Name of the acting person" })),
  status: Type.Optional(TransactionStatus),
  outcome: Type.Optional(Type.Enum(["delivered", "not-delivered"])),
  text: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String({ description: "Name of the provider it moved to" })),
  copy: Type.Optional(Type.Integer({ description: "Number of a print; 0 is the original" })),
  amount: Type.Optional(MinorAmount),
  saleNumber: Type.Optional(
    Type.Integer({ description: "Number of the sale that the payment moved to" }),
  ),
});
export type TimelineEvent = Static<typeof TimelineEvent>;

export const OfficeTransactionDetails = Type.Object({
  transaction: OfficeTransaction,
  ...currencyUnit,
  timeline: Type.Array(TimelineEvent, {
    description: "Oldest first; amounts in the transaction's currency",
  }),
  deviations: Type.Optional(
    Type.Array(Deviation, {
      description: "Fields of the provider's answers that deviate from the contract",
    }),
  ),
  rawAnswer: Type.Optional(
    Type.Enum(["KEPT", "ERASED"], {
      description: "True if the deviating answer is still stored",
    }),
  ),
  refundableEsim: Type.Boolean({
    description: "True if a refund can be requested from the provider",
  }),
});
export type OfficeTransactionDetails = Static<typeof OfficeTransactionDetails>;

/**
 * `POST /pos/transactions/{transactionId}/provider-answer`: the provider's latest
 * deviating response. Without the permission to reveal PINs and codes, values that may be
 * a PIN or code are masked.
 */
export const RawAnswer = Type.Union([
  Type.Object({
    state: Type.Literal("KEPT"),
    at: Timestamp,
    text: Type.String({ description: "Original text of the provider, without the shop's key" }),
    masked: Type.Boolean({ description: "True if values that may be PINs or codes are masked" }),
  }),
  Type.Object({
    state: Type.Enum(["ERASED", "UNREADABLE"], {
      description: "UNREADABLE: its encryption key is missing",
    }),
    at: Timestamp,
  }),
]);
export type RawAnswer = Static<typeof RawAnswer>;

/** `POST /pos/transactions/{transactionId}/refund`: the started refund. */
const EsimRefundBegun = Type.Object({
  transactionId: Type.String(),
  status: TransactionStatus,
});

export const transactionOfficeOperations = {
  list: defineOperation({
    method: "GET",
    path: "/transactions",
    query: OfficeTransactionsQuery,
    answer: OfficeTransactions,
    access: "staff",
    right: "seeExpectedCash",
  }),
  get: defineOperation({
    method: "GET",
    path: "/transactions/:transactionId",
    params: OfficeTransactionParams,
    answer: OfficeTransactionDetails,
    access: "staff",
    right: "seeExpectedCash",
    refusals: ["NOT_FOUND"],
  }),
  /** Audited, because a response may contain redeemable details. */
  readAnswer: defineOperation({
    method: "POST",
    path: "/transactions/:transactionId/provider-answer",
    params: OfficeTransactionParams,
    answer: RawAnswer,
    access: "staff",
    right: "seeExpectedCash",
    asksPin: "always",
    refusals: ["NOT_FOUND"],
  }),
  refundEsim: defineOperation({
    method: "POST",
    path: "/transactions/:transactionId/refund",
    params: OfficeTransactionParams,
    answer: EsimRefundBegun,
    access: "owner",
    refusals: ["NOT_FOUND", "REFUND_NOT_ALLOWED"],
  }),
};
