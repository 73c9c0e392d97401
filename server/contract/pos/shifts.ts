import { type Static, Type } from "typebox";
import {
  ApprovalId,
  ClientId,
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { Family } from "./families.ts";
import { days } from "./figures.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { PrintQuery } from "./sales.ts";
import { ShiftTax } from "./taxes.ts";
import { MOST_CASH, NamedTender } from "./tenders.ts";

/** Amounts are minor units of the shop's currency, unless stated otherwise. */

const Cash = Type.Integer({ minimum: 0, maximum: MOST_CASH });

/**
 * Number of notes and coins of each denomination. Their value must equal the amount in the same
 * object.
 */
const CashCount = Type.Array(
  Input({
    denomination: Type.Integer({ minimum: 1, maximum: MOST_CASH }),
    quantity: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  }),
  { maxItems: 40 },
);
export type CashCount = Static<typeof CashCount>;

/** `POST /pos/shifts`: opens the person's shift. A repeat returns the same shift. */
export const ShiftInput = Input({
  shiftId: ClientId,
  float: Cash,
  count: Type.Optional(CashCount),
});
export type ShiftInput = Static<typeof ShiftInput>;

const Person = Type.Object({ staffId: Type.String(), name: Type.String() });

const SHIFT = {
  shiftId: Type.String(),
  environment: Environment,
  staff: Person,
  openedAt: Timestamp,
  closedAt: Type.Optional(Timestamp),
  ...currencyUnit,
};

/** A person's shift at the drawer, in one environment. `float` requires `seeExpectedCash`. */
export const Shift = Type.Object({ ...SHIFT, float: Type.Optional(MinorAmount) });
export type Shift = Static<typeof Shift>;

const ShiftWithFloat = Type.Object({ ...SHIFT, float: MinorAmount });
export type ShiftWithFloat = Static<typeof ShiftWithFloat>;

/** `GET /pos/shifts/current`: the person's open shift, if any. */
export const CurrentShift = Type.Object({ shift: Type.Optional(Shift) });
export type CurrentShift = Static<typeof CurrentShift>;

const ShiftParams = Input({ shiftId: ClientId });

const MOVEMENT_KINDS = ["PAY_IN", "PAY_OUT", "DROP", "NO_SALE"] as const;
export const MovementKind = Type.Enum(MOVEMENT_KINDS, {
  description:
    "PAY_IN puts cash into the drawer, PAY_OUT takes cash for an expense, DROP moves cash to the safe, NO_SALE opens the drawer",
});
export type MovementKind = Static<typeof MovementKind>;

/**
 * `POST /pos/shifts/{shiftId}/movements`. Every kind except NO_SALE has an amount; every kind
 * except DROP has a reason. A repeat books nothing.
 */
export const MovementInput = Input({
  movementId: ClientId,
  kind: MovementKind,
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CASH })),
  reason: Type.Optional(Name(120)),
  approvalId: ApprovalId,
});
export type MovementInput = Static<typeof MovementInput>;

export const Movement = Type.Object({
  movementId: Type.String(),
  kind: MovementKind,
  amount: MinorAmount,
  reason: Type.String(),
  recordedAt: Timestamp,
  staff: Person,
  approvedBy: Type.Optional(Person),
});
export type Movement = Static<typeof Movement>;
export const Movements = Type.Object({ list: Type.Array(Movement) });
export type Movements = Static<typeof Movements>;

const DepositKind = Type.Enum(["DEPOSIT", "WITHDRAWAL"], {
  description: "DEPOSIT takes cash from the safe to the bank, WITHDRAWAL brings it back",
});

/**
 * `POST /pos/cash/deposits` (owner): moves cash from the safe to the bank, or
 * back. A repeat books nothing.
 */
export const DepositInput = Input({
  depositId: ClientId,
  kind: DepositKind,
  amount: Type.Integer({ minimum: 1, maximum: MOST_CASH }),
  reference: Type.Optional(Name(60)),
});
export type DepositInput = Static<typeof DepositInput>;

/**
 * `GET /pos/cash/safe`: cash outside open drawers. Drops and the cash of closed drawers go into the
 * safe; opening floats and deposits are taken out of it.
 */
export const Safe = Type.Object({
  ...currencyUnit,
  drops: MinorAmount,
  closings: Type.Integer({ description: "Counted at closings; expected cash if nobody counted" }),
  floats: MinorAmount,
  deposits: Type.Integer({ description: "Deposited at the bank, less withdrawals" }),
  balance: Type.Integer({ description: "drops + closings - floats - deposits" }),
  list: Type.Array(
    Type.Object({
      depositId: Type.String(),
      kind: DepositKind,
      amount: MinorAmount,
      reference: Type.String(),
      recordedAt: Timestamp,
      staff: Person,
    }),
    { description: "The newest 50 deposits and withdrawals" },
  ),
});
export type Safe = Static<typeof Safe>;

const Tally = Type.Object({ count: Type.Integer(), value: MinorAmount });
export type Tally = Static<typeof Tally>;

/** Sums of lines by outcome. `walletSpent` is in minor units of the wallet's currency. */
const LineTallies = {
  delivered: Tally,
  notDelivered: Tally,
  unfinished: Tally,
  walletSpent: Type.Optional(
    Type.Integer({
      description:
        "Cost of the delivered lines, in the wallet's currency; for people with the right `seeFigures`",
    }),
  ),
};

/** Sum of one tender. Reports made before tenders had names contain only the kind. */
const TenderTally = Type.Object({ ...NamedTender, count: Type.Integer(), value: MinorAmount });

export const ShiftFigures = Type.Object({
  sales: Type.Object(Tally.properties, {
    description:
      "Lines delivered or unfinished, and their sales; reports of older versions count failed lines too",
  }),
  refundsDue: Type.Optional(
    Type.Object(Tally.properties, {
      description:
        "Sales with money owed to customers, for lines that failed; not in reports of older versions",
    }),
  ),
  ...LineTallies,
  walletCurrency: CurrencyCode,
  walletCurrencyDivisor: CurrencyDivisor,
  discounts: Tally,
  taxes: Type.Array(ShiftTax, {
    description: "Of the lines delivered or unfinished, and of carried-over lines that failed",
  }),
  tenders: Type.Array(TenderTally, { description: "Takings of sales, net of change" }),
  cashRounding: Type.Integer({
    description:
      "Rounding of cash parts, less refunds: sales, notDelivered and this add up to the tenders",
  }),
  cashTendered: MinorAmount,
  changeGiven: MinorAmount,
  families: Type.Array(
    Type.Object({
      productType: Family,
      ...LineTallies,
    }),
  ),
  customerRefunds: Type.Array(TenderTally, {
    description: "Refunds of undelivered lines",
  }),
  payIns: Tally,
  payOuts: Tally,
  drops: Tally,
  noSales: Type.Integer({ description: "Number of drawer openings without a sale" }),
  carriedOver: Type.Object(LineTallies, {
    description: "Lines of the person's earlier shifts that were unfinished at their close",
  }),
});
export type ShiftFigures = Static<typeof ShiftFigures>;

/** A line of a shift without a final outcome. */
export const UnfinishedLine = Type.Object({
  transactionId: Type.String(),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  environment: Environment,
  seller: Type.String({ description: "Seller" }),
  brandName: Type.String(),
  title: Type.String(),
  recipient: Type.String({ description: "Number or account, formatted" }),
  price: MinorAmount,
  ...currencyUnit,
  outcome: Outcome,
  keepTryingUntil: Timestamp,
});
export type UnfinishedLine = Static<typeof UnfinishedLine>;

/** A sale whose customer is owed a refund for undelivered lines. */
export const OwedSale = Type.Object({
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  amount: MinorAmount,
});
export type OwedSale = Static<typeof OwedSale>;

/**
 * `GET /pos/shifts/{shiftId}/x`: current state of a shift. `figures` and `expectedCash` require
 * `seeExpectedCash`. Other people count the drawer blind and see only the number of sales.
 */
export const XReport = Type.Object({
  shift: Shift,
  at: Timestamp,
  sales: Type.Integer({ description: "Number of sales" }),
  figures: Type.Optional(ShiftFigures),
  expectedCash: Type.Optional(MinorAmount),
  unfinished: Type.Array(UnfinishedLine),
  owed: Type.Array(OwedSale),
});
export type XReport = Static<typeof XReport>;

const Counted = { counted: Cash, count: Type.Optional(CashCount) };

/**
 * `POST /pos/shifts/{shiftId}/close`: the blind count of the person's drawer. Unfinished lines
 * cause SHIFT_UNFINISHED, unless `leaveUnfinished` is true, which requires the permission
 * `carryOver` or an approval for the shift's id. An amount that looks like a missing decimal point
 * causes COUNT_UNLIKELY, unless `isSure` is true.
 */
export const CloseInput = Input({
  ...Counted,
  leaveUnfinished: Type.Optional(Type.Boolean()),
  isSure: Type.Optional(Type.Boolean()),
  approvalId: ApprovalId,
});
export type CloseInput = Static<typeof CloseInput>;

/**
 * `POST /pos/shifts/{shiftId}/force-close` (owner): closes another person's shift,
 * with or without a count.
 */
export const ForceCloseInput = Input({
  counted: Type.Optional(Cash),
  count: Type.Optional(CashCount),
});
export type ForceCloseInput = Static<typeof ForceCloseInput>;

/** Created when the shift closes, and never changed. */
export const ZReport = Type.Object({
  zNumber: Type.Integer({ description: "Consecutive number from 1 without gaps, per environment" }),
  shift: ShiftWithFloat,
  closedAt: Timestamp,
  closedBy: Person,
  forced: Type.Boolean({ description: "True if another person closed it" }),
  approvedBy: Type.Optional(Person),
  figures: ShiftFigures,
  expectedCash: MinorAmount,
  counted: Type.Optional(Cash),
  count: Type.Optional(CashCount),
  variance: Type.Optional(
    Type.Integer({ description: "Counted less expected: negative if cash is missing" }),
  ),
  unfinished: Type.Array(UnfinishedLine),
  owed: Type.Array(OwedSale, {
    description: "Owed to customers at the close: its cash is in the drawer",
  }),
});
export type ZReport = Static<typeof ZReport>;

/** `GET /pos/shifts` (owner): every open shift of the till's environment. */
export const OpenShifts = Type.Object({
  list: Type.Array(Type.Object({ shift: Shift, expectedCash: MinorAmount, sales: Tally })),
});
export type OpenShifts = Static<typeof OpenShifts>;

/** Query of `GET /pos/z-reports`. The days limit the list to shifts that closed on them. */
export const ZReportsQuery = Input({
  firstDay: Type.Optional(days.firstDay),
  lastDay: Type.Optional(days.lastDay),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});
export type ZReportsQuery = Static<typeof ZReportsQuery>;
export const ZReports = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer(),
  list: Type.Array(ZReport),
});
export type ZReports = Static<typeof ZReports>;

const ZReportParams = Input({
  zNumber: Type.String({ pattern: "^[1-9][0-9]{0,14}$", description: "the number of a report" }),
});

/**
 * `POST /pos/z-reports/{zNumber}/prints`: the first print is the original. Every later print is a
 * COPY, and requires the permission `reprint` or an approval for `z-{zNumber}`.
 */
export const ZReportPrint = Type.Object({
  shopName: Type.String(),
  language: Type.String(),
  copy: Type.Boolean(),
  copyNumber: Type.Integer({ description: "0 for the original" }),
  printedAt: Timestamp,
  printedBy: Type.String(),
  report: ZReport,
});
export type ZReportPrint = Static<typeof ZReportPrint>;

/**
 * `GET /pos/unfinished`: work that should be finished before the till closes or an update is
 * installed. Without `seeExpectedCash`, the `recipient` of other people's sales is empty.
 */
export const Unfinished = Type.Object({
  lines: Type.Array(UnfinishedLine),
  openShifts: Type.Array(Shift),
});
export type Unfinished = Static<typeof Unfinished>;

export const shiftOperations = {
  open: defineOperation({
    method: "POST",
    path: "/shifts",
    body: ShiftInput,
    answer: Shift,
    access: "seller",
    refusals: ["SHIFT_OPEN", "ID_TAKEN", "FORBIDDEN", "ENVIRONMENT_CHANGED"],
  }),
  viewSafe: defineOperation({
    method: "GET",
    path: "/cash/safe",
    answer: Safe,
    access: "staff",
    right: "seeFigures",
  }),
  deposit: defineOperation({
    method: "POST",
    path: "/cash/deposits",
    body: DepositInput,
    answer: Safe,
    access: "owner",
    refusals: ["ID_TAKEN"],
  }),
  listOpen: defineOperation({
    method: "GET",
    path: "/shifts",
    answer: OpenShifts,
    access: "owner",
  }),
  getCurrent: defineOperation({
    method: "GET",
    path: "/shifts/current",
    answer: CurrentShift,
    access: "seller",
  }),
  readX: defineOperation({
    method: "GET",
    path: "/shifts/:shiftId/x",
    params: ShiftParams,
    answer: XReport,
    access: "seller",
    refusals: ["NOT_FOUND", "FORBIDDEN", "SHIFT_CLOSED"],
  }),
  listMovements: defineOperation({
    method: "GET",
    path: "/shifts/:shiftId/movements",
    params: ShiftParams,
    answer: Movements,
    access: "seller",
    refusals: ["NOT_FOUND", "FORBIDDEN"],
  }),
  bookMovement: defineOperation({
    method: "POST",
    path: "/shifts/:shiftId/movements",
    params: ShiftParams,
    body: MovementInput,
    answer: Movement,
    access: "seller",
    rights: ["noSale", "payOut"],
    refusals: ["NOT_FOUND", "FORBIDDEN", "SHIFT_CLOSED", "ID_TAKEN"],
  }),
  close: defineOperation({
    method: "POST",
    path: "/shifts/:shiftId/close",
    params: ShiftParams,
    body: CloseInput,
    answer: ZReport,
    access: "seller",
    rights: ["carryOver"],
    refusals: ["NOT_FOUND", "FORBIDDEN", "SHIFT_CLOSED", "SHIFT_UNFINISHED", "COUNT_UNLIKELY"],
  }),
  forceClose: defineOperation({
    method: "POST",
    path: "/shifts/:shiftId/force-close",
    params: ShiftParams,
    body: ForceCloseInput,
    answer: ZReport,
    access: "owner",
    refusals: ["NOT_FOUND", "SHIFT_CLOSED"],
  }),
  listZReports: defineOperation({
    method: "GET",
    path: "/z-reports",
    query: ZReportsQuery,
    answer: ZReports,
    access: "staff",
    right: "seeFigures",
  }),
  printZReport: defineOperation({
    method: "POST",
    path: "/z-reports/:zNumber/prints",
    params: ZReportParams,
    query: PrintQuery,
    answer: ZReportPrint,
    access: "seller",
    rights: ["reprint"],
    refusals: ["NOT_FOUND", "FORBIDDEN", "ID_TAKEN"],
  }),
  viewUnfinished: defineOperation({
    method: "GET",
    path: "/unfinished",
    answer: Unfinished,
    access: "seller",
  }),
};
