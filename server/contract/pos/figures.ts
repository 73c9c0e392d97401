import { type Static, Type } from "typebox";
import { currencyUnit, Environment, Input, MinorAmount, Timestamp } from "../common.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";
import { DayStart, TimeZone } from "./shop-day.ts";
import { TaxKind } from "./taxes.ts";
import { NamedTender, TenderId, TenderKind } from "./tenders.ts";

const ShopDate = Type.String({
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  description: "a day of the shop, such as 2026-01-31",
  examples: ["2026-01-31"],
});

/** First and last business day, both included; at most 1,100 days. */
export const days = { firstDay: ShopDate, lastDay: ShopDate };

const PERIODS = ["DAY", "WEEK", "MONTH"] as const;
export const PeriodKind = Type.Enum(PERIODS);
export type PeriodKind = Static<typeof PeriodKind>;

/** Ways to sell: at a till, through `/v1`, and from a file. */
export const FIGURE_CHANNELS = ["TILL", "API", "BULK"] as const;
const FigureChannel = Type.Enum(FIGURE_CHANNELS);
export type FigureChannel = Static<typeof FigureChannel>;

/** Value of purchases through `/v1` without a known key. */
export const UNKNOWN_KEY = "UNKNOWN";

/** Value of purchases through `/v1` in figures by clerk. */
export const NO_CLERK = "API";

export const FIGURE_DIMENSIONS = [
  "FAMILY",
  "BRAND",
  "COUNTRY",
  "CLERK",
  "TILL",
  "CHANNEL",
  "KEY",
  "PROVIDER",
] as const;
export const FigureDimension = Type.Enum(FIGURE_DIMENSIONS);
export type FigureDimension = Static<typeof FigureDimension>;

const count = Type.Integer({ minimum: 0 });

const lineFigures = {
  lines: Type.Integer({
    description:
      "Lines sold in the period, less those that were returned in it: that failed, or whose cost the provider refunded",
  }),
  linesFailed: Type.Integer({ description: "Lines that were returned in the period" }),
  discount: Type.Integer({ description: "Discounts on these lines" }),
  sold: Type.Integer({ description: "Prices of these lines, tax included" }),
  tax: MinorAmount,
  cost: Type.Integer({ description: "Cost of these lines, each at the rate of its sale" }),
  earned: Type.Integer({ description: "sold - tax - cost" }),
  marginPct: Type.Optional(
    Type.Number({ description: "earned of sold without tax; with 10 lines or more" }),
  ),
};

/** Figures of lines (rules#figure-words), in minor units of the shop's currency. */
export const LineFigures = Type.Object(lineFigures);
export type LineFigures = Static<typeof LineFigures>;

/** All figures: `sold + refundsDue + cashRounding = taken + owed` (rules#figure-identity). */
export const Figures = Type.Object({
  ...lineFigures,
  sales: Type.Integer({
    description: "Sales made in the period, less those of which the last line was returned in it",
  }),
  average: Type.Optional(Type.Integer({ description: "sold / sales; absent without sales" })),
  refundsDue: Type.Integer({
    description:
      "Money of lines that were returned in the period, less refunds of returned lines in the period",
  }),
  refunded: Type.Integer({ description: "Refunded to customers" }),
  cashRounding: MinorAmount,
  taken: Type.Integer({ description: "Tenders net of change, less refunds" }),
  owed: Type.Integer({ description: "Sold but not paid" }),
});
export type Figures = Static<typeof Figures>;

const heading = {
  environment: Environment,
  timeZone: TimeZone,
  dayStartsAt: DayStart,
  ...currencyUnit,
  madeAt: Timestamp,
};

const PeriodBounds = {
  ...days,
  from: Timestamp,
  until: Type.String({ format: "date-time", description: "End, exclusive" }),
  isUnfinished: Type.Boolean({ description: "True if the period has not ended" }),
};
export const FigurePeriod = Type.Object(PeriodBounds);
export type FigurePeriod = Static<typeof FigurePeriod>;

const FiguresQuery = Input({ ...days, by: PeriodKind });

/**
 * `GET /pos/figures`: figures by day, week or month, and figures of the preceding period. If the
 * period consists of whole months, the preceding period has as many months; otherwise it has as
 * many days. An unfinished period is compared with the same part of the preceding period.
 */
export const FigureSeries = Type.Object({
  ...heading,
  period: FigurePeriod,
  figures: Figures,
  before: Type.Object({ period: FigurePeriod, figures: Figures }),
  list: Type.Array(Type.Object({ period: FigurePeriod, figures: Figures })),
});
export type FigureSeries = Static<typeof FigureSeries>;

const FigureBreakdownQuery = Input({ ...days, by: FigureDimension });

/**
 * `GET /pos/figures/parts`: figures by a dimension, highest earnings first. By key, only
 * purchases through `/v1` are listed.
 */
export const FigureBreakdown = Type.Object({
  ...heading,
  period: FigurePeriod,
  before: FigurePeriod,
  list: Type.Array(
    Type.Object({
      value: Type.String({
        description:
          "A family, brand code, country, person's id, till's id, channel, key's id or provider's id; API without a person; API, FILE, UNKNOWN or BEFORE without a till; UNKNOWN without a known key",
      }),
      name: Type.String({
        description: "Name of a brand, person, till, key or provider; empty for others",
      }),
      figures: LineFigures,
      before: LineFigures,
    }),
  ),
});
export type FigureBreakdown = Static<typeof FigureBreakdown>;

const FigureDaysQuery = Input(days);

/** `GET /pos/figures/hours`: figures by local hour and weekday. */
export const FigureHours = Type.Object({
  ...heading,
  period: FigurePeriod,
  list: Type.Array(
    Type.Object({
      weekday: Type.Integer({ minimum: 0, maximum: 6, description: "0 is Monday" }),
      hour: Type.Integer({ minimum: 0, maximum: 23 }),
      figures: Figures,
    }),
  ),
});
export type FigureHours = Static<typeof FigureHours>;

const TenderSums = Type.Object({ cash: MinorAmount, card: MinorAmount, other: MinorAmount });

/** Sums of one tender. The sums of all tenders of a kind add up to the kind's sum. */
const FigureTender = Type.Object({
  kind: TenderKind,
  tenderId: TenderId,
  name: Type.Optional(Type.String({ description: "Absent for the default name of its kind" })),
  taken: MinorAmount,
  refunded: MinorAmount,
});
export type FigureTender = Static<typeof FigureTender>;

/**
 * Reconciliation in the wallet's currency: `costSold`, every other cause of spending and
 * `difference` add up to `walletSpent` in the ledger.
 */
export const TieOut = Type.Object({
  ...currencyUnit,
  costSold: Type.Integer({ description: "Cost of lines sold less those that failed" }),
  failedEarlier: Type.Integer({
    description: "Cost of lines that failed in the period and were sold before it",
  }),
  notSpent: Type.Integer({
    description: "Cost of lines sold in the period that neither were paid nor failed in it",
  }),
  soldEarlier: Type.Integer({ description: "Paid by the wallet in the period, sold before it" }),
  integrators: Type.Integer({
    description:
      "The first live sale, and purchases through `/v1` of earlier versions, which stored no rate",
  }),
  refunded: Type.Integer({ description: "Refunded by the provider" }),
  walletSpent: MinorAmount,
  difference: Type.Integer({ description: "0 if the books are in order" }),
});
export type TieOut = Static<typeof TieOut>;

/** `GET /pos/figures/money`: sales, payments, refunds and cash of a period. */
export const FigureMoney = Type.Object({
  ...heading,
  period: FigurePeriod,
  figures: Figures,
  taken: TenderSums,
  refunded: TenderSums,
  byTender: Type.Array(FigureTender, {
    description: "By tender, in the order of the counter",
  }),
  drawers: Type.Object({
    payIns: MinorAmount,
    payOuts: MinorAmount,
    drops: MinorAmount,
    differences: Type.Integer({ description: "Counted less expected at closings" }),
    deposits: Type.Integer({ description: "Deposited at the bank, less withdrawals" }),
    safe: Type.Integer({
      description: "Added to the safe: drops and closings less opening floats and deposits",
    }),
    cash: Type.Integer({
      description:
        "Change of cash in drawers and safe: cash taken less refunds, plus pay-ins, less pay-outs and deposits, with differences",
    }),
  }),
  fxResult: Type.Optional(
    Type.Integer({
      description:
        "Cost of the lines at their pricing rates, less the price of that part of the wallet in its recharges; absent if no recharge states a price",
    }),
  ),
  tieOut: TieOut,
});
export type FigureMoney = Static<typeof FigureMoney>;

/** `GET /pos/figures/today`: values of the figures' first page. Unknown values are absent. */
export const FirstPage = Type.Object({
  ...heading,
  float: Type.Object({
    ...currencyUnit,
    available: MinorAmount,
    held: MinorAmount,
    salesLeft: Type.Optional(Type.Integer({ description: "Estimated by the average of 28 days" })),
    lastsUntil: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Estimated by the same hours of the last four weeks; absent beyond 7 days",
      }),
    ),
  }),
  today: Type.Object({
    period: FigurePeriod,
    figures: Figures,
    api: Type.Optional(
      Type.Object(lineFigures, { description: "Of purchases through `/v1`; absent without any" }),
    ),
  }),
  weekAgo: Type.Object({ period: FigurePeriod, figures: Figures }),
  drawers: Type.Array(
    Type.Object({ staffId: Type.String(), name: Type.String(), expectedCash: MinorAmount }),
  ),
  sending: Type.Object({
    lines: count,
    amount: MinorAmount,
    oldest: Type.Optional(Timestamp),
  }),
});
export type FirstPage = Static<typeof FirstPage>;

export const FigureCharts = Type.Object({
  ...heading,
  hours: Type.Array(
    Type.Object({
      hour: Type.Integer({ minimum: 0, maximum: 23 }),
      sold: MinorAmount,
      usual: Type.Integer({ description: "Median of the last four same weekdays" }),
    }),
  ),
  days: Type.Array(Type.Object({ day: ShopDate, sold: MinorAmount, earned: MinorAmount })),
  brands: Type.Array(
    Type.Object({ brand: Type.String(), name: Type.String(), figures: LineFigures }),
  ),
  float: Type.Array(
    Type.Object({
      at: Timestamp,
      available: Type.Integer({ description: "In the wallet's currency" }),
    }),
  ),
  week: FigureHours.properties.list,
});
export type FigureCharts = Static<typeof FigureCharts>;

/** Filter of lines: days, and optionally one value of a dimension. */
const ofLines = {
  ...days,
  by: Type.Optional(FigureDimension),
  value: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};
const paging = {
  before: Type.Optional(
    Type.String({ maxLength: 200, description: "`next` of the previous page" }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
};
const FigureLinesQuery = Input({ ...ofLines, ...paging });
export const FigureLinesFile = Input(ofLines);
export type FigureLinesFile = Static<typeof FigureLinesFile>;

/** A sold line, or an undelivered line with negative amounts. */
export const FigureLine = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["SOLD", "NOT_DELIVERED"]),
  saleId: Type.Optional(Type.String({ description: "Absent for a purchase through `/v1`" })),
  saleNumber: Type.Optional(Type.Integer({ description: "Absent like `saleId`" })),
  transactionId: Type.String(),
  family: Family,
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String(),
  clerk: Type.String({ description: "Empty for a purchase through `/v1`" }),
  till: Type.String({
    description: "Name of the till; API, FILE, UNKNOWN or BEFORE without a till",
  }),
  price: MinorAmount,
  discount: MinorAmount,
  sold: MinorAmount,
  tax: MinorAmount,
  cost: MinorAmount,
  earned: MinorAmount,
  rate: Type.String(),
  taxKind: TaxKind,
  taxPercent: Type.String(),
  channel: FigureChannel,
  apiKey: Type.Optional(
    Type.Object(
      { keyId: Type.String(), name: Type.String() },
      { description: "API key of a purchase through `/v1`, if it is known" },
    ),
  ),
  provider: Type.Optional(Type.String({ description: "Name of its provider; absent in test" })),
});
export type FigureLine = Static<typeof FigureLine>;

const next = Type.Optional(
  Type.String({ description: "Cursor of the next page; absent at the end" }),
);
export const FigureLines = Type.Object({ list: Type.Array(FigureLine), next });
export type FigureLines = Static<typeof FigureLines>;

const FigureMovementsQuery = Input({ ...days, ...paging });
/** Money of one tender that was received for a sale or refunded. */
export const FigureMovement = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["TAKEN", "HANDED_BACK"]),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  tender: TenderKind,
  tenderId: NamedTender.tenderId,
  name: NamedTender.name,
  clerk: Type.String(),
  amount: Type.Integer({ description: "Negative for a refund" }),
  reference: Type.String(),
});
export type FigureMovement = Static<typeof FigureMovement>;
export const FigureMovements = Type.Object({ list: Type.Array(FigureMovement), next });
export type FigureMovements = Static<typeof FigureMovements>;

/** `GET /pos/figures/owed`: undelivered lines whose money was not refunded, newest first. */
const FigureOwedQuery = Input(paging);
export const FigureOwed = Type.Object({
  lines: Type.Integer({ description: "Total, regardless of the page" }),
  amount: Type.Integer({ description: "Sum of all pages" }),
  list: Type.Array(
    Type.Object({
      failedAt: Timestamp,
      saleId: Type.String(),
      saleNumber: Type.Integer(),
      transactionId: Type.String(),
      clerk: Type.String(),
      amount: MinorAmount,
    }),
  ),
  next,
});
export type FigureOwed = Static<typeof FigureOwed>;

const OF_FIGURES = { method: "GET", access: "staff", right: "seeFigures" } as const;

export const figureOperations = {
  viewFirstPage: defineOperation({ ...OF_FIGURES, path: "/figures/today", answer: FirstPage }),
  viewCharts: defineOperation({ ...OF_FIGURES, path: "/figures/charts", answer: FigureCharts }),
  listPeriods: defineOperation({
    ...OF_FIGURES,
    path: "/figures",
    query: FiguresQuery,
    answer: FigureSeries,
  }),
  listParts: defineOperation({
    ...OF_FIGURES,
    path: "/figures/parts",
    query: FigureBreakdownQuery,
    answer: FigureBreakdown,
  }),
  listHours: defineOperation({
    ...OF_FIGURES,
    path: "/figures/hours",
    query: FigureDaysQuery,
    answer: FigureHours,
  }),
  viewMoney: defineOperation({
    ...OF_FIGURES,
    path: "/figures/money",
    query: FigureDaysQuery,
    answer: FigureMoney,
  }),
  listLines: defineOperation({
    ...OF_FIGURES,
    path: "/figures/lines",
    query: FigureLinesQuery,
    answer: FigureLines,
  }),
  listMovements: defineOperation({
    ...OF_FIGURES,
    path: "/figures/movements",
    query: FigureMovementsQuery,
    answer: FigureMovements,
  }),
  listOwed: defineOperation({
    ...OF_FIGURES,
    path: "/figures/owed",
    query: FigureOwedQuery,
    answer: FigureOwed,
  }),
  /** CSV: UTF-8 with a byte order mark. */
  exportLines: defineOperation({
    ...OF_FIGURES,
    path: "/figures/lines.csv",
    query: FigureLinesFile,
    answer: Type.String(),
  }),
  exportMovements: defineOperation({
    ...OF_FIGURES,
    path: "/figures/movements.csv",
    query: FigureDaysQuery,
    answer: Type.String(),
  }),
};
