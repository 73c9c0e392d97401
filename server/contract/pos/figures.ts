import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Environment,
  Input,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";
import { DayStart, TimeZone } from "./shop-day.ts";
import { TaxKind } from "./taxes.ts";
import { NamedTender, TenderId, TenderKind } from "./tenders.ts";

/** A day of the shop, such as 2026-01-31. */
const ShopDate = Type.String({
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  description: "a day of the shop, such as 2026-01-31",
  examples: ["2026-01-31"],
});

/** Days of the shop, both included; at most 1100 of them. */
export const days = { firstDay: ShopDate, lastDay: ShopDate };

const PERIODS = ["DAY", "WEEK", "MONTH"] as const;
export const PeriodKind = Type.Enum(PERIODS);
export type PeriodKind = Static<typeof PeriodKind>;

export const FIGURE_DIMENSIONS = ["FAMILY", "BRAND", "COUNTRY", "CLERK", "TILL"] as const;
export const FigureDimension = Type.Enum(FIGURE_DIMENSIONS);
export type FigureDimension = Static<typeof FigureDimension>;

const count = Type.Integer({ minimum: 0 });

const lineFigures = {
  lines: Type.Integer({
    description: "Lines sold in the period, less those that failed in it",
  }),
  linesFailed: Type.Integer({ description: "Lines that failed in the period" }),
  discount: Type.Integer({ description: "Given on these lines" }),
  sold: Type.Integer({ description: "Prices of these lines, tax included" }),
  tax: MinorAmount,
  cost: Type.Integer({ description: "What they cost, each at the rate of its sale" }),
  earned: Type.Integer({ description: "sold - tax - cost" }),
  marginPct: Type.Optional(
    Type.Number({ description: "earned of sold without tax; with 10 lines or more" }),
  ),
};

/** Figures of lines (rules#figure-words); minor units of the shop's currency. */
export const LineFigures = Type.Object(lineFigures);
export type LineFigures = Static<typeof LineFigures>;

/** All figures: `sold + refundsDue + cashRounding = taken + owed` (rules#figure-identity). */
export const Figures = Type.Object({
  ...lineFigures,
  sales: Type.Integer({
    description: "Sales made in the period, less those of which the last line failed in it",
  }),
  average: Type.Optional(Type.Integer({ description: "sold / sales; absent without sales" })),
  refundsDue: Type.Integer({
    description:
      "Money of lines that failed in the period, less the money of failed lines handed back in it",
  }),
  refunded: Type.Integer({ description: "Handed back to customers" }),
  cashRounding: MinorAmount,
  taken: Type.Integer({ description: "Tenders net of change, less what was handed back" }),
  owed: Type.Integer({ description: "Sold and not paid" }),
});
export type Figures = Static<typeof Figures>;

/** What every answer says of its figures: whose they are, of when, and in what. */
const heading = {
  environment: Environment,
  timeZone: TimeZone,
  dayStartsAt: DayStart,
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  madeAt: Timestamp,
};

const PeriodBounds = {
  ...days,
  from: Timestamp,
  until: Type.String({ format: "date-time", description: "The end; not included" }),
  isUnfinished: Type.Boolean({ description: "The end is still to come" }),
};
/** Days of the shop and the instants they begin and end at. */
export const FigurePeriod = Type.Object(PeriodBounds);
export type FigurePeriod = Static<typeof FigurePeriod>;

/** Query of figures over days. */
const FiguresQuery = Input({ ...days, by: PeriodKind });

/**
 * `GET /pos/figures`: by day, week or month, with the same period before it: as many whole months for
 * whole months, otherwise as many days. Of a period that is unfinished only as much is compared as has
 * passed of it.
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

/** `GET /pos/figures/parts`: by family, brand, country, clerk or till, most earned first. */
export const FigureBreakdown = Type.Object({
  ...heading,
  period: FigurePeriod,
  before: FigurePeriod,
  list: Type.Array(
    Type.Object({
      value: Type.String({
        description:
          "A family, a brand's code, a country, a person's id, or a till's and FILE, UNKNOWN or BEFORE where there is none",
      }),
      name: Type.String({ description: "A brand's, a person's or a till's; empty for others" }),
      figures: LineFigures,
      before: LineFigures,
    }),
  ),
});
export type FigureBreakdown = Static<typeof FigureBreakdown>;

const FigureDaysQuery = Input(days);

/** `GET /pos/figures/hours`: by the hour that the shop's clocks showed, and the day of the week. */
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

/** What of it was by one tender: those of a kind add up to it. */
const FigureTender = Type.Object({
  kind: TenderKind,
  tenderId: TenderId,
  name: Type.Optional(Type.String({ description: "Where it has none, the word for its kind" })),
  taken: MinorAmount,
  refunded: MinorAmount,
});
export type FigureTender = Static<typeof FigureTender>;

/**
 * The line to the ledger, in the wallet's currency: `costSold` and every reason why the wallet spent
 * another amount; they add up to `walletSpent`, which is read from the ledger, and `difference`.
 */
export const TieOut = Type.Object({
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  costSold: Type.Integer({ description: "Cost of lines sold less those that failed" }),
  failedEarlier: Type.Integer({
    description: "Cost of lines that failed in the period and were sold before it",
  }),
  notSpent: Type.Integer({
    description: "Cost of lines sold in the period that neither were paid nor failed in it",
  }),
  soldEarlier: Type.Integer({ description: "Paid by the wallet in it and sold before" }),
  integrators: Type.Integer({ description: "Bought through `/v1`" }),
  refunded: Type.Integer({ description: "Given back by the provider" }),
  walletSpent: MinorAmount,
  difference: Type.Integer({ description: "0 while the books are in order" }),
});
export type TieOut = Static<typeof TieOut>;

/** `GET /pos/figures/money`: where the money of a period is, from what was sold to the drawers. */
export const FigureMoney = Type.Object({
  ...heading,
  period: FigurePeriod,
  figures: Figures,
  taken: TenderSums,
  refunded: TenderSums,
  byTender: Type.Array(FigureTender, {
    description: "By each tender that money came or went by, in the order of the counter",
  }),
  drawers: Type.Object({
    payIns: MinorAmount,
    payOuts: MinorAmount,
    drops: MinorAmount,
    differences: Type.Integer({ description: "Counted less expected at closings" }),
    deposits: Type.Integer({ description: "Taken to the bank, less what was brought back" }),
    safe: Type.Integer({
      description: "Added to the safe: drops and closings less opening floats and deposits",
    }),
    cash: Type.Integer({
      description:
        "Stayed in drawers and safe: cash taken less refunded, put in, paid out and deposited, with differences",
    }),
  }),
  fxResult: Type.Optional(
    Type.Integer({
      description:
        "What the lines cost at the rates that priced them, less what that much of the wallet cost in its recharges; absent where none says what was paid",
    }),
  ),
  tieOut: TieOut,
});
export type FigureMoney = Static<typeof FigureMoney>;

/** `GET /pos/figures/today`: the first page. What nothing is known of is left out. */
export const FirstPage = Type.Object({
  ...heading,
  float: Type.Object({
    currency: CurrencyCode,
    currencyDivisor: CurrencyDivisor,
    available: MinorAmount,
    held: MinorAmount,
    salesLeft: Type.Optional(Type.Integer({ description: "By the average of 28 days" })),
    lastsUntil: Type.Optional(
      Type.String({
        format: "date-time",
        description: "By what the same hours of the last four weeks spent; absent after 7 days",
      }),
    ),
  }),
  today: Type.Object({ period: FigurePeriod, figures: Figures }),
  weekAgo: Type.Object({ period: FigurePeriod, figures: Figures }),
  drawers: Type.Array(
    Type.Object({ staffId: Type.String(), name: Type.String(), expectedCash: MinorAmount }),
  ),
  lastDifference: Type.Optional(
    Type.Object({
      zNumber: count,
      name: Type.String(),
      closedAt: Timestamp,
      difference: MinorAmount,
    }),
  ),
  differences: Type.Array(
    Type.Object({
      staffId: Type.String(),
      name: Type.String(),
      shifts: count,
      difference: Type.Integer({ description: "Counted less expected cash, of 30 days" }),
    }),
  ),
  sending: Type.Object({
    lines: count,
    amount: MinorAmount,
    oldest: Type.Optional(Timestamp),
    slowBrands: Type.Array(Type.String()),
  }),
  refundsDue: Type.Object({ lines: count, amount: MinorAmount, oldest: Type.Optional(Timestamp) }),
  success: Type.Object({
    delivered: Type.Integer({ description: "Lines that finished today, whenever they were sold" }),
    notDelivered: count,
    pct: Type.Optional(Type.Number({ description: "With 10 lines or more" })),
  }),
  pausedBrands: Type.Array(
    Type.Object({ brand: Type.String(), since: Timestamp, byHand: Type.Boolean() }),
  ),
  tieOut: TieOut,
  blockedOffers: Type.Integer({ description: "Not sold: no price covers their floor" }),
  rate: Type.Object({ rate: Type.String(), setAt: Timestamp }),
});
export type FirstPage = Static<typeof FirstPage>;

/** `GET /pos/figures/charts`: what the charts of the first page show. */
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

/** Which lines: of days, of one family, brand, country, clerk or till; the newest first. */
const ofLines = {
  ...days,
  by: Type.Optional(FigureDimension),
  value: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};
const paging = {
  before: Type.Optional(
    Type.String({ maxLength: 200, description: "`next` of the page before, as it was answered" }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
};
const FigureLinesQuery = Input({ ...ofLines, ...paging });
export const FigureLinesFile = Input(ofLines);
export type FigureLinesFile = Static<typeof FigureLinesFile>;

/** A line that was sold, or that failed: then its amounts are below zero. */
export const FigureLine = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["SOLD", "NOT_DELIVERED"]),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  transactionId: Type.String(),
  family: Family,
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String(),
  clerk: Type.String(),
  till: Type.String({ description: "Its name; FILE, UNKNOWN or BEFORE where there is none" }),
  price: MinorAmount,
  discount: MinorAmount,
  sold: MinorAmount,
  tax: MinorAmount,
  cost: MinorAmount,
  earned: MinorAmount,
  rate: Type.String(),
  taxKind: TaxKind,
  taxPercent: Type.String(),
});
export type FigureLine = Static<typeof FigureLine>;

const next = Type.Optional(
  Type.String({ description: "Asks for the page after; absent at the end" }),
);
export const FigureLines = Type.Object({ list: Type.Array(FigureLine), next });
export type FigureLines = Static<typeof FigureLines>;

const FigureMovementsQuery = Input({ ...days, ...paging });
/** What was taken for a sale or handed back, by one tender. */
export const FigureMovement = Type.Object({
  at: Timestamp,
  kind: Type.Enum(["TAKEN", "HANDED_BACK"]),
  saleId: Type.String(),
  saleNumber: Type.Integer(),
  tender: TenderKind,
  tenderId: NamedTender.tenderId,
  name: NamedTender.name,
  clerk: Type.String(),
  amount: Type.Integer({ description: "Below zero where it was handed back" }),
  reference: Type.String(),
});
export type FigureMovement = Static<typeof FigureMovement>;
export const FigureMovements = Type.Object({ list: Type.Array(FigureMovement), next });
export type FigureMovements = Static<typeof FigureMovements>;

/** `GET /pos/figures/owed`: lines not delivered whose money was not handed back, the newest first. */
const FigureOwedQuery = Input(paging);
export const FigureOwed = Type.Object({
  lines: Type.Integer({ description: "All of them, whatever the page" }),
  amount: Type.Integer({ description: "Of all of them" }),
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

const OF_FIGURES = { method: "GET", access: "staff", right: "seeFigures", refusals: [] } as const;

/** What the shop sold, earned and took; for people who may see its figures. */
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
