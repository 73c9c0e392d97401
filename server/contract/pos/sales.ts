import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Environment,
  Input,
  MinorAmount,
  PhoneNumber,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { PurchaseValue } from "../v1/purchases.ts";
import { ApprovalId } from "./client-id.ts";
import { Outcome } from "./outcome.ts";

const SaleId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
  description: "a UUID, made by the till when the confirm step opens, and kept",
});

/** Cash handed over; change is computed by the gateway. */
const Tender = Input({
  kind: Type.Literal("CASH"),
  tendered: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

/** `POST /pos/sales`. Sending the same sale again answers with the sale as it stands. */
export const SaleInput = Input({
  saleId: SaleId,
  lines: Type.Array(
    Input({
      transactionId: TransactionId,
      offerId: Type.String({ minLength: 1, maxLength: 128 }),
      recipientPhoneNumber: PhoneNumber,
      value: Type.Optional(PurchaseValue),
      price: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "What the customer was told; PRICE_CHANGED when it is another by now",
      }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
  tender: Tender,
});
export type SaleInput = Static<typeof SaleInput>;

export const SaleLine = Type.Object({
  position: Type.Integer(),
  transactionId: TransactionId,
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String(),
  country: Type.String(),
  title: Type.String(),
  recipientPhoneNumber: Type.String(),
  recipientFormatted: Type.String(),
  value: Type.Optional(PurchaseValue),
  price: MinorAmount,
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
  status: TransactionStatus,
  outcome: Outcome,
  slowAfter: Timestamp,
  keepTryingUntil: Timestamp,
  nextAttemptAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  confirmationNumber: Type.Optional(Type.String()),
  failure: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      shortBy: Type.Optional(MinorAmount),
      available: Type.Optional(MinorAmount),
      currency: Type.Optional(CurrencyCode),
      currencyDivisor: Type.Optional(CurrencyDivisor),
    }),
  ),
});
export type SaleLine = Static<typeof SaleLine>;

/** A sale as the till shows it. Amounts in the shop's currency, minor units. */
export const Sale = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer({ description: "Counts up from 1, per environment" }),
  environment: Environment,
  createdAt: Timestamp,
  staff: Type.Object({ staffId: Type.String(), name: Type.String() }),
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  total: MinorAmount,
  tender: Type.Object({ kind: Type.Literal("CASH"), tendered: MinorAmount, change: MinorAmount }),
  giveBack: Type.Integer({ description: "Price of the lines not delivered: owed to the customer" }),
  receiptsPrinted: Type.Integer(),
  lines: Type.Array(SaleLine),
});
export type Sale = Static<typeof Sale>;

export const SaleParams = Input({ saleId: SaleId });

/** Query of `GET /pos/sales`: `since` is the start of the clerk's day as the till's clock has it. */
export const SalesQuery = Input({
  since: Type.Optional(Timestamp),
  search: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,15}$",
      description: "digits of a number that was sold to, or the number of a sale",
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export type SalesQuery = Static<typeof SalesQuery>;

export const Sales = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ description: "Sales in the period that are found" }),
  figures: Type.Object({
    currency: CurrencyCode,
    currencyDivisor: CurrencyDivisor,
    sold: Type.Integer({ description: "Value of the lines delivered" }),
    sending: Type.Integer({ description: "Value of the lines not finished yet" }),
    giveBack: Type.Integer({ description: "Value of the lines not delivered" }),
    unfinished: Type.Integer({ description: "How many lines are not finished yet" }),
  }),
  list: Type.Array(Sale),
});
export type Sales = Static<typeof Sales>;

/** Query of a print. A copy takes the right `reprint`, or an approval for the sale's id. */
export const PrintQuery = Input({ approvalId: ApprovalId });
export type PrintQuery = Static<typeof PrintQuery>;

/**
 * `POST /pos/sales/{saleId}/prints`: records that the receipt is printed and answers with what is
 * on it. The first print is the original; each one after it is a COPY.
 */
export const Receipt = Type.Object({
  training: Type.Boolean({ description: "Printed while training: TRAINING, no value" }),
  shopName: Type.String(),
  language: Type.String(),
  copy: Type.Boolean(),
  copyNumber: Type.Integer({ description: "0 for the original" }),
  printedAt: Timestamp,
  printedBy: Type.String(),
  sale: Sale,
});
export type Receipt = Static<typeof Receipt>;

/**
 * `GET /pos/events` (Server-Sent Events; `id` resumes). Each event's `data` is JSON:
 * `sale` → Sale, `wallet` → PosWallet, `shop` → {} (status changed, fetch it again),
 * `signed-out` → {} (the session ended; the stream closes).
 */
export const EVENT_NAMES = ["sale", "wallet", "shop", "signed-out"] as const;
export type EventName = (typeof EVENT_NAMES)[number];
