import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Environment,
  Input,
  LanguageCode,
  MinorAmount,
  Timestamp,
  TransactionId,
} from "../common.ts";
import { ApprovalId, ClientId } from "./client-id.ts";
import { defineOperation } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { PosPromo } from "./promos.ts";
import {
  DiscountAllowed,
  DiscountInput,
  SaleLine,
  SaleLineInput,
  WantedLine,
} from "./sale-lines.ts";
import { Language } from "./setup.ts";
import { TimeZone } from "./shop-day.ts";
import { ShopLogo } from "./shop-logo.ts";
import { SaleTax } from "./taxes.ts";
import { NamedTender, Tender, TenderInput, TenderKind } from "./tenders.ts";

/**
 * `POST /pos/sales/{saleId}/customer-refunds`: a customer refund. The money of lines that were not delivered
 * was handed back, what the customer paid for each, once. Answers with the sale as it then stands; the
 * same refund again changes nothing. It goes the way it came, as the sale's `refundTenders` say, or
 * by `kind` alone. It takes the right `customerRefund`, and `payOut` too for what goes by a kind beyond what
 * the sale took by it and has not handed back (rules#customer-refund-as-it-came).
 */
export const CustomerRefundInput = Input({
  customerRefundId: ClientId,
  lines: Type.Array(TransactionId, { minItems: 1, maxItems: 20, uniqueItems: true }),
  kind: Type.Optional(TenderKind),
  approvalId: ApprovalId,
});
export type CustomerRefundInput = Static<typeof CustomerRefundInput>;

/**
 * `POST /pos/sales/{saleId}/replacements`: sends an undelivered line of the sale again, corrected, with the
 * money that was paid for it. It refunds that line as its money came and sells `line` in the same moment, as
 * the sale `replacementId`: both are booked, or neither (rules#replacement-once). A lower price gives change;
 * a higher one is TENDER_SHORT. It takes the right `customerRefund`.
 */
export const ReplacementInput = Input({
  customerRefundId: ClientId,
  replacementId: ClientId,
  replaces: TransactionId,
  line: SaleLineInput,
  approvalId: ApprovalId,
});
export type ReplacementInput = Static<typeof ReplacementInput>;

/** The part of a customer refund that goes back by one tender. */
export const CustomerRefundTender = Type.Object({ ...NamedTender, amount: MinorAmount });
export type CustomerRefundTender = Static<typeof CustomerRefundTender>;

/** `POST /pos/sales/check`: what a clerk should know of each line before money is taken. Writes nothing. */
export const SaleCheckInput = Input({
  lines: Type.Array(WantedLine, { minItems: 1, maxItems: 20 }),
  language: Type.Optional(LanguageCode),
});
export type SaleCheckInput = Static<typeof SaleCheckInput>;

/**
 * What was sold to the recipient of a line before. `same` is the same offer at the same amount,
 * sold within ten minutes.
 */
export const SoldEarlier = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  soldAt: Timestamp,
  clerk: Type.String(),
  outcome: Outcome,
  same: Type.Boolean(),
  recipientFormatted: Type.String({ description: "Empty where nothing tells customers apart" }),
});
export type SoldEarlier = Static<typeof SoldEarlier>;

/** `problem` is why a line cannot be sold as it is; then the amounts are missing. */
export const CheckedLine = Type.Object({
  price: Type.Optional(MinorAmount),
  priceCurrency: Type.Optional(CurrencyCode),
  priceCurrencyDivisor: Type.Optional(CurrencyDivisor),
  send: Type.Optional(MinorAmount),
  sendCurrency: Type.Optional(CurrencyCode),
  sendCurrencyDivisor: Type.Optional(CurrencyDivisor),
  earlier: Type.Optional(SoldEarlier),
  pausedSince: Type.Optional(Timestamp),
  pausedByHand: Type.Optional(Type.Boolean()),
  asksNumber: Type.Optional(
    Type.Boolean({ description: "The customer is to confirm the number before it is paid" }),
  ),
  promos: Type.Array(PosPromo),
  problem: Type.Optional(
    Type.Object({
      errorCode: Type.String(),
      message: Type.String(),
      fields: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
export type CheckedLine = Static<typeof CheckedLine>;

/** The lines in the order they were asked in. */
export const SaleCheck = Type.Object({ lines: Type.Array(CheckedLine) });
export type SaleCheck = Static<typeof SaleCheck>;

/**
 * `POST /pos/sales`. Sending the same sale again answers with the sale as it stands, wherever the
 * shop sells by then. With `environment` and `training` it is sold there or nowhere.
 */
export const SaleInput = Input({
  saleId: ClientId,
  environment: Type.Optional(Environment),
  training: Type.Optional(Type.Boolean()),
  lines: Type.Array(SaleLineInput, { minItems: 1, maxItems: 20 }),
  tenders: Type.Array(TenderInput, { maxItems: 5 }),
  cashRounding: Type.Optional(
    Type.Integer({
      minimum: -100_000,
      maximum: 100_000,
      description:
        "a whole number: what the customer was told that the cash part is rounded by; PRICE_CHANGED when it is another by now",
    }),
  ),
  approvalId: ApprovalId,
});
export type SaleInput = Static<typeof SaleInput>;

const Person = Type.Object({ staffId: Type.String(), name: Type.String() });

/** A sale as the till shows it. Amounts in the shop's currency, minor units. */
export const Sale = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer({ description: "Counts up from 1, per environment" }),
  environment: Environment,
  training: Type.Boolean({ description: "Sold in training: in no shift, figure or report" }),
  createdAt: Timestamp,
  staff: Person,
  approvedBy: Type.Optional(Person),
  shiftId: Type.Optional(Type.String()),
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  total: Type.Integer({ description: "Prices less discounts, before `cashRounding`" }),
  discount: MinorAmount,
  taxes: Type.Array(SaleTax, { description: "Included in the total, the lowest rate first" }),
  cashRounding: Type.Integer({
    description: "Of the cash part, once: the tenders add up to the total and this",
  }),
  tenders: Type.Array(Tender),
  change: MinorAmount,
  refundDue: Type.Integer({
    description:
      "Owed for lines not delivered and not handed back yet, with its part of `cashRounding`",
  }),
  refundTenders: Type.Array(CustomerRefundTender, {
    description: "How `refundDue` goes back as it came: in cash as far as cash was taken",
  }),
  refunded: Type.Integer({ description: "Handed back, with its part of `cashRounding`" }),
  receiptsPrinted: Type.Integer(),
  lines: Type.Array(SaleLine),
});
export type Sale = Static<typeof Sale>;

export const SaleParams = Input({ saleId: ClientId });

/**
 * Query of `GET /pos/sales`: `since` is the start of the clerk's day as the till's clock has it; 31 days
 * ago at the earliest, and where it is left out.
 */
const SalesQuery = Input({
  since: Type.Optional(Timestamp),
  search: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,20}$",
      description: "digits of a number or account that was sold to, or the number of a sale",
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export type SalesQuery = Static<typeof SalesQuery>;

/**
 * The lines of a list are without delivered details: `voucher` and `esim` are left out. Without the
 * right `seeExpectedCash` the list holds the person's own sales and the shop's of today, and has no
 * `figures`; another sale is found by its number, without its recipient.
 */
export const Sales = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ description: "Sales in the period that are found" }),
  figures: Type.Optional(
    Type.Object({
      currency: CurrencyCode,
      currencyDivisor: CurrencyDivisor,
      sold: Type.Integer({ description: "What was paid for the lines delivered" }),
      sending: Type.Integer({ description: "What was paid for the lines not finished yet" }),
      refundDue: Type.Integer({ description: "Owed for lines not delivered, not handed back yet" }),
      refunded: Type.Integer({ description: "Handed back for lines not delivered" }),
      discount: Type.Integer({ description: "Given on lines that were delivered or may be" }),
      unfinished: Type.Integer({ description: "How many lines are not finished yet" }),
      sales: Type.Integer({
        description: "Sales with lines delivered or not finished yet: of `sold` and `sending`",
      }),
    }),
  ),
  list: Type.Array(Sale),
});
export type Sales = Static<typeof Sales>;

/**
 * Query of a print. A copy takes the right `reprint`, and `reveal` as well where it shows a PIN or code
 * that the printing person is not shown, or an approval for the sale's id. Another `language` than the
 * shop's is the customer's, for this print alone.
 */
export const PrintQuery = Input({
  approvalId: ApprovalId,
  language: Type.Optional(Language),
  printId: Type.Optional(ClientId),
});
export type PrintQuery = Static<typeof PrintQuery>;

/**
 * `POST /pos/sales/{saleId}/prints`: records that the receipt is printed and answers with what is on
 * it. The first print is the original; each one after it is a COPY, and takes the right `reprint`, as
 * does any print of a colleague's sale, and the first of one whose PIN or code its seller is no longer
 * shown. All but the seller's own original are in the audit trail. A print with a `printId` that never
 * begins is none: the next one takes its number, and it can begin no more.
 */
export const Receipt = Type.Object({
  training: Type.Boolean({ description: "Sold in training: TRAINING, no value" }),
  shopName: Type.String(),
  logo: Type.Optional(ShopLogo),
  shopAddress: Type.Array(Type.String()),
  support: Type.Array(Type.String(), { description: "Who helps the customer, and when" }),
  language: Type.String({ description: "Of its words and of a voucher's instructions" }),
  timeZone: TimeZone,
  copy: Type.Boolean(),
  copyNumber: Type.Integer({ description: "0 for the original" }),
  printedAt: Timestamp,
  printedBy: Type.String(),
  sale: Sale,
});
export type Receipt = Static<typeof Receipt>;

/**
 * `POST /pos/sales/{saleId}/reveal`: the sale with what its customer redeems, which takes the right
 * `reveal` or an approval for the sale's id. It is in the audit trail.
 */
export const RevealInput = Input({ approvalId: ApprovalId });
export type RevealInput = Static<typeof RevealInput>;

/** `GET /pos/found-sales`: a sale of any age, by its number or by the whole number it was sold to. */
const FoundSalesQuery = Input({
  typed: Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: "^\\+?[0-9 ().-]*$",
    description: "Digits as they are written, with the country code or without",
  }),
});

/** That with the number first, then the newest. */
const FoundSales = Type.Object({ list: Type.Array(Sale) });
export type FoundSales = Static<typeof FoundSales>;

/** Data of the event `sale`: that sale changed, look at it again. */
export const SaleNews = Type.Object({ saleId: Type.String() });
export type SaleNews = Static<typeof SaleNews>;

/**
 * `GET /pos/events` (Server-Sent Events; `id` resumes). Each event's `data` is JSON, and holds nothing
 * that not everybody at a till may know: `sale` → SaleNews, `again` → {} (events were missed: load
 * everything that is shown again), `wallet` → {} (it holds more or less: load it again), `shop` → {}
 * (status changed, load it again), `alerts` → {} (load them again, if any are for you), `signed-out` → {} (the session ended; the stream closes).
 */
export const EVENT_NAMES = ["sale", "again", "wallet", "shop", "alerts", "signed-out"] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Sales, their receipts, and money handed back. */
export const saleOperations = {
  sell: defineOperation({
    method: "POST",
    path: "/sales",
    body: SaleInput,
    answer: Sale,
    access: "seller",
    rights: [
      "discountPct",
      "belowCost",
      "perSale",
      "perDay",
      "perProduct.TOPUP",
      "perProduct.VOUCHER",
      "perProduct.ESIM",
      "perProduct.BILL_PAY",
    ],
    refusals: [
      "SALE_ID_TAKEN",
      "SHIFT_REQUIRED",
      "PRICE_CHANGED",
      "NUMBER_NOT_CONFIRMED",
      "TENDER_SHORT",
      "TENDER_OVER",
      "TENDER_RETIRED",
      "WALLET_SHORT",
      "PILOT_LIMIT",
      "ENVIRONMENT_CHANGED",
      "OFFER_NOT_FOUND",
      "OFFER_DISABLED",
      "DUPLICATE_TRANSACTION_ID",
      "REQUIRED_FIELD_MISSING",
      "BILL_NOT_FOUND",
      "ICCID_NOT_FOUND",
      "VALUE_REQUIRED",
      "VALUE_NOT_ALLOWED",
      "VALUE_OUT_OF_RANGE",
    ],
  }),
  /** What to know of lines before money is taken. Changes nothing. */
  check: defineOperation({
    method: "POST",
    path: "/sales/check",
    body: SaleCheckInput,
    answer: SaleCheck,
    access: "seller",
    refusals: [],
  }),
  checkDiscount: defineOperation({
    method: "POST",
    path: "/sales/discounts",
    body: DiscountInput,
    answer: DiscountAllowed,
    access: "seller",
    rights: ["discountPct", "belowCost"],
    refusals: [
      "OFFER_NOT_FOUND",
      "OFFER_DISABLED",
      "REQUIRED_FIELD_MISSING",
      "PRICE_CHANGED",
      "VALUE_REQUIRED",
      "VALUE_NOT_ALLOWED",
      "VALUE_OUT_OF_RANGE",
    ],
  }),
  list: defineOperation({
    method: "GET",
    path: "/sales",
    query: SalesQuery,
    answer: Sales,
    access: "staff",
    refusals: [],
  }),
  find: defineOperation({
    method: "GET",
    path: "/found-sales",
    query: FoundSalesQuery,
    answer: FoundSales,
    access: "staff",
    refusals: [],
  }),
  get: defineOperation({
    method: "GET",
    path: "/sales/:saleId",
    params: SaleParams,
    answer: Sale,
    access: "staff",
    refusals: ["NOT_FOUND"],
  }),
  print: defineOperation({
    method: "POST",
    path: "/sales/:saleId/prints",
    params: SaleParams,
    query: PrintQuery,
    answer: Receipt,
    access: "seller",
    rights: ["reprint", "reveal", "seeExpectedCash"],
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  reveal: defineOperation({
    method: "POST",
    path: "/sales/:saleId/reveal",
    params: SaleParams,
    body: RevealInput,
    answer: Sale,
    access: "seller",
    rights: ["reveal", "seeExpectedCash"],
    refusals: ["NOT_FOUND"],
  }),
  customerRefund: defineOperation({
    method: "POST",
    path: "/sales/:saleId/customer-refunds",
    params: SaleParams,
    body: CustomerRefundInput,
    answer: Sale,
    access: "seller",
    rights: ["customerRefund", "payOut"],
    refusals: ["NOT_FOUND", "ID_TAKEN", "REFUND_NOT_OWED", "SHIFT_REQUIRED"],
  }),
  /** Answers the new sale. */
  replace: defineOperation({
    method: "POST",
    path: "/sales/:saleId/replacements",
    params: SaleParams,
    body: ReplacementInput,
    answer: Sale,
    access: "seller",
    rights: [
      "customerRefund",
      "discountPct",
      "belowCost",
      "perSale",
      "perDay",
      "perProduct.TOPUP",
      "perProduct.VOUCHER",
      "perProduct.ESIM",
      "perProduct.BILL_PAY",
    ],
    refusals: [
      "NOT_FOUND",
      "ID_TAKEN",
      "REFUND_NOT_OWED",
      "SALE_ID_TAKEN",
      "SHIFT_REQUIRED",
      "PRICE_CHANGED",
      "NUMBER_NOT_CONFIRMED",
      "TENDER_SHORT",
      "TENDER_OVER",
      "TENDER_RETIRED",
      "WALLET_SHORT",
      "PILOT_LIMIT",
      "ENVIRONMENT_CHANGED",
      "OFFER_NOT_FOUND",
      "OFFER_DISABLED",
      "DUPLICATE_TRANSACTION_ID",
      "REQUIRED_FIELD_MISSING",
      "BILL_NOT_FOUND",
      "ICCID_NOT_FOUND",
      "VALUE_REQUIRED",
      "VALUE_NOT_ALLOWED",
      "VALUE_OUT_OF_RANGE",
    ],
  }),
};
