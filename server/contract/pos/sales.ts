import { type Static, Type } from "typebox";
import {
  ApprovalId,
  ClientId,
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Environment,
  Input,
  LanguageCode,
  MinorAmount,
  Timestamp,
  TransactionId,
} from "../common.ts";
import { FAMILIES } from "./families.ts";
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
 * `POST /pos/sales/{saleId}/customer-refunds`: records the refund of undelivered lines to the
 * customer, once per line. Returns the updated sale. A repeat changes nothing. The refund uses the
 * tenders of the payment (`refundTenders`), or only `kind` if stated. Requires the permission
 * `customerRefund`, and `payOut` for amounts above the sale's takings of that kind
 * (rules#customer-refund-as-it-came).
 */
export const CustomerRefundInput = Input({
  customerRefundId: ClientId,
  lines: Type.Array(TransactionId, { minItems: 1, maxItems: 20, uniqueItems: true }),
  kind: Type.Optional(TenderKind),
  approvalId: ApprovalId,
});
export type CustomerRefundInput = Static<typeof CustomerRefundInput>;

/**
 * `POST /pos/sales/{saleId}/replacements`: sells `line` in place of an undelivered line, paid with
 * the money of that line. The refund of the undelivered line and the new sale `replacementId` are
 * booked together or not at all (rules#replacement-once). A lower price gives change. A higher
 * price is refused as TENDER_SHORT. Requires the permission `customerRefund`.
 */
export const ReplacementInput = Input({
  customerRefundId: ClientId,
  replacementId: ClientId,
  replaces: TransactionId,
  line: SaleLineInput,
  approvalId: ApprovalId,
});
export type ReplacementInput = Static<typeof ReplacementInput>;

export const CustomerRefundTender = Type.Object({ ...NamedTender, amount: MinorAmount });
export type CustomerRefundTender = Static<typeof CustomerRefundTender>;

/**
 * `POST /pos/sales/check`: returns warnings about each line before the payment. Changes nothing.
 */
export const SaleCheckInput = Input({
  lines: Type.Array(WantedLine, { minItems: 1, maxItems: 20 }),
  language: Type.Optional(LanguageCode),
});
export type SaleCheckInput = Static<typeof SaleCheckInput>;

/**
 * An earlier sale to the recipient of a line. `same` is true for the same offer and
 * amount within ten minutes.
 */
export const SoldEarlier = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  soldAt: Timestamp,
  clerk: Type.String(),
  outcome: Outcome,
  same: Type.Boolean(),
  recipientFormatted: Type.String({ description: "Empty without a recipient" }),
});
export type SoldEarlier = Static<typeof SoldEarlier>;

/** `problem` is the reason why the line cannot be sold; amounts are then absent. */
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
    Type.Boolean({
      description: "True if the customer must confirm the number before the payment",
    }),
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

/** Results in the order of the requested lines. */
export const SaleCheck = Type.Object({ lines: Type.Array(CheckedLine) });
export type SaleCheck = Static<typeof SaleCheck>;

/**
 * `POST /pos/sales`. A repeat returns the current state of the sale, even if the shop
 * has switched its environment. A sale with `environment` or `training` is refused if
 * the till has another value.
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

/** Amounts are minor units of the shop's currency. */
export const Sale = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer({ description: "Consecutive number from 1, per environment" }),
  environment: Environment,
  training: Type.Boolean({
    description: "True for training: excluded from shifts, figures and reports",
  }),
  createdAt: Timestamp,
  staff: Person,
  approvedBy: Type.Optional(Person),
  shiftId: Type.Optional(Type.String()),
  ...currencyUnit,
  total: Type.Integer({ description: "Prices less discounts, before `cashRounding`" }),
  discount: MinorAmount,
  taxes: Type.Array(SaleTax, { description: "Included in the total, the lowest rate first" }),
  cashRounding: Type.Integer({
    description: "Rounding of the cash part: the tenders add up to total plus cashRounding",
  }),
  tenders: Type.Array(Tender),
  change: MinorAmount,
  refundDue: Type.Integer({
    description:
      "Owed for undelivered lines that are not refunded, with its part of `cashRounding`",
  }),
  refundTenders: Type.Array(CustomerRefundTender, {
    description: "Tenders of `refundDue`, as it came: in cash as far as cash was taken",
  }),
  refunded: Type.Integer({ description: "Refunded, with its part of `cashRounding`" }),
  receiptsPrinted: Type.Integer(),
  lines: Type.Array(SaleLine),
});
export type Sale = Static<typeof Sale>;

export const SaleParams = Input({ saleId: ClientId });

/**
 * Query of `GET /pos/sales`. `since` is the start of the clerk's day in the till's time zone. The
 * default, and the earliest permitted value, is 31 days ago.
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
 * A page of sales. Lines omit `voucher` and `esim`. Without the permission `seeExpectedCash`, the
 * list contains the person's own sales and the shop's sales of today, without `figures`. Any other
 * sale is then found only by its number, and shown without recipients.
 */
export const Sales = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ description: "Number of sales found in the period" }),
  figures: Type.Optional(
    Type.Object({
      ...currencyUnit,
      sold: Type.Integer({ description: "Paid for delivered lines" }),
      sending: Type.Integer({ description: "Paid for unfinished lines" }),
      refundDue: Type.Integer({ description: "Owed for undelivered lines that are not refunded" }),
      refunded: Type.Integer({ description: "Refunded for undelivered lines" }),
      discount: Type.Integer({ description: "Discounts on delivered and unfinished lines" }),
      unfinished: Type.Integer({ description: "Number of unfinished lines" }),
    }),
  ),
  list: Type.Array(Sale),
});
export type Sales = Static<typeof Sales>;

/**
 * A copy requires the permission `reprint`. A copy with a PIN or code that is hidden from the
 * printing person also requires `reveal`. An approval for the sale's id replaces both permissions.
 * `language` applies to this print only.
 */
export const PrintQuery = Input({
  approvalId: ApprovalId,
  language: Type.Optional(Language),
  printId: Type.Optional(ClientId),
});
export type PrintQuery = Static<typeof PrintQuery>;

/**
 * `POST /pos/sales/{saleId}/prints`: records a print of the receipt and returns its contents. The
 * first print is the original, and every later print is a COPY. The permission `reprint` is
 * required for a copy, for a colleague's sale, and for the original of a sale whose PIN or code is
 * now hidden from its seller. All prints except the seller's own original are audited. If a print
 * with a `printId` never starts, the next print gets its number.
 */
export const Receipt = Type.Object({
  training: Type.Boolean({ description: "True for training: the receipt has no value" }),
  shopName: Type.String(),
  logo: Type.Optional(ShopLogo),
  shopAddress: Type.Array(Type.String()),
  support: Type.Array(Type.String(), { description: "Lines about customer support" }),
  language: Type.String({ description: "Language of the receipt and of a voucher's instructions" }),
  timeZone: TimeZone,
  copy: Type.Boolean(),
  copyNumber: Type.Integer({ description: "0 for the original" }),
  printedAt: Timestamp,
  printedBy: Type.String(),
  sale: Sale,
});
export type Receipt = Static<typeof Receipt>;

/**
 * `POST /pos/sales/{saleId}/reveal`: the sale with its redeemable details. Requires the permission
 * `reveal`, or an approval for the sale's id. Every call is audited.
 */
export const RevealInput = Input({ approvalId: ApprovalId });
export type RevealInput = Static<typeof RevealInput>;

/** `GET /pos/found-sales`: sales of any age with this sale number or this complete recipient. */
const FoundSalesQuery = Input({
  typed: Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: "^\\+?[0-9 ().-]*$",
    description: "Digits as they are written, with the country code or without",
  }),
});

/** The sale with the searched number first, then the newest sales. */
const FoundSales = Type.Object({ list: Type.Array(Sale) });
export type FoundSales = Static<typeof FoundSales>;

/** Data of the event `sale`: the till reloads the changed sale. */
export const SaleNews = Type.Object({ saleId: Type.String() });
export type SaleNews = Static<typeof SaleNews>;

/**
 * `GET /pos/events` (Server-Sent Events; `id` resumes the stream). The `data` of each event is
 * JSON, and contains only facts that everybody at a till may know: SaleNews for `sale`, otherwise
 * {}. The till reloads everything after `again`, because events were missed; the balance after
 * `wallet`; the status after `shop`; and the alerts after `alerts`. `signed-out` ends the stream.
 */
export const EVENT_NAMES = ["sale", "again", "wallet", "shop", "alerts", "signed-out"] as const;
export type EventName = (typeof EVENT_NAMES)[number];

const SALE_RIGHTS = [
  "discountPct",
  "belowCost",
  "perSale",
  "perDay",
  ...FAMILIES.map((family) => `perProduct.${family}` as const),
] as const;
const SALE_REFUSALS = [
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
] as const;

export const saleOperations = {
  sell: defineOperation({
    method: "POST",
    path: "/sales",
    body: SaleInput,
    answer: Sale,
    access: "seller",
    rights: SALE_RIGHTS,
    refusals: SALE_REFUSALS,
  }),
  check: defineOperation({
    method: "POST",
    path: "/sales/check",
    body: SaleCheckInput,
    answer: SaleCheck,
    access: "seller",
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
  }),
  find: defineOperation({
    method: "GET",
    path: "/found-sales",
    query: FoundSalesQuery,
    answer: FoundSales,
    access: "staff",
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
  replace: defineOperation({
    method: "POST",
    path: "/sales/:saleId/replacements",
    params: SaleParams,
    body: ReplacementInput,
    answer: Sale,
    access: "seller",
    rights: ["customerRefund", ...SALE_RIGHTS],
    refusals: ["NOT_FOUND", "ID_TAKEN", "REFUND_NOT_OWED", ...SALE_REFUSALS],
  }),
};
