import { type Static, Type } from "typebox";
import { currencyUnit, Environment, Input, MinorAmount, Timestamp } from "../common.ts";
import { PRODUCT_TYPES } from "../v1/transactions.ts";
import { days } from "./figures.ts";
import { defineOperation } from "./operation.ts";
import { WalletFigures } from "./wallet.ts";

const LowAmount = Type.Integer({
  minimum: 1,
  maximum: 999_999_999_999,
  description: "Minor units of the wallet's currency",
});
const LowHours = Type.Integer({
  minimum: 1,
  maximum: 168,
  description: "Hours in which the shop usually sells",
});

/** Thresholds of the low-wallet warning; an absent threshold causes no warning. */
export const WalletAlert = Type.Object({
  lowAmount: Type.Optional(LowAmount),
  lowHours: Type.Optional(LowHours),
});
export type WalletAlert = Static<typeof WalletAlert>;

/** `PUT /pos/wallet/alert`: replaces both thresholds. */
const WalletAlertInput = Input({
  environment: Environment,
  lowAmount: Type.Optional(LowAmount),
  lowHours: Type.Optional(LowHours),
});

/** `PUT /pos/wallet/test-balance`: sets the spendable balance of the test environment. */
const TestBalanceInput = Input({
  available: Type.Integer({ minimum: 0, maximum: 999_999_999_999 }),
});

const LOW_CAUSES = ["AMOUNT", "HOURS", "EMPTY"] as const;

/** `GET /pos/wallet/overview`: balance of the wallet, and how long it will last. */
export const WalletOverview = Type.Object({
  environment: Environment,
  ...WalletFigures.properties,
  madeAt: Timestamp,
  salesLeft: Type.Optional(Type.Integer({ description: "Estimated by the average of 28 days" })),
  emptyAt: Type.Optional(
    Type.String({
      format: "date-time",
      description: "Estimated by the same hours of four weeks; absent beyond 7 days",
    }),
  ),
  hoursLeft: Type.Optional(Type.Number({ description: "Remaining usual selling hours" })),
  alert: WalletAlert,
  low: Type.Array(Type.Enum(LOW_CAUSES), {
    description: "Reasons why it is low; empty if it is not",
  }),
});
export type WalletOverview = Static<typeof WalletOverview>;

export const POSTING_KINDS = ["RECHARGE", "HOLD", "CAPTURE", "RELEASE", "REFUND"] as const;
const PostingKind = Type.Enum(POSTING_KINDS, {
  description:
    "RECHARGE: paid in, or set lower in test; HOLD: reserved for a purchase; CAPTURE: spent; RELEASE: no longer reserved; REFUND: refunded by the provider",
});
export type PostingKind = Static<typeof PostingKind>;

const ofStatement = { kind: Type.Optional(PostingKind) };

/** Query of the statement, newest first. Without days, it covers the whole statement. */
export const StatementQuery = Input({
  ...ofStatement,
  firstDay: Type.Optional(days.firstDay),
  lastDay: Type.Optional(days.lastDay),
  before: Type.Optional(Type.String({ maxLength: 40, description: "`next` of the previous page" })),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
});
export type StatementQuery = Static<typeof StatementQuery>;

export const StatementFileQuery = Input({ ...ofStatement, ...days });
export type StatementFileQuery = Static<typeof StatementFileQuery>;

/** Change of one of the wallet's two accounts, and the resulting balance. */
const Movement = Type.Object({ change: Type.Integer(), balance: MinorAmount });

export const StatementEntry = Type.Object({
  entryId: Type.Integer({ description: "Increasing number" }),
  at: Timestamp,
  kind: PostingKind,
  transactionId: Type.String(),
  productType: Type.Enum(PRODUCT_TYPES),
  available: Type.Optional(Movement),
  held: Type.Optional(Movement),
  brandName: Type.Optional(Type.String({ description: "Brand of the purchase" })),
  saleNumber: Type.Optional(Type.Integer({ description: "Sale of the till" })),
  reference: Type.Optional(Type.String({ description: "Reference of a recharge" })),
  reversalReason: Type.Optional(Type.String({ description: "Reason of a reversal" })),
  reversedBy: Type.Optional(Type.String({ description: "Entry that reversed this recharge" })),
});
export type StatementEntry = Static<typeof StatementEntry>;

export const Statement = Type.Object({
  environment: Environment,
  ...currencyUnit,
  list: Type.Array(StatementEntry),
  next: Type.Optional(Type.String({ description: "Cursor of the next page; absent at the end" })),
});
export type Statement = Static<typeof Statement>;

const OF_FIGURES = { method: "GET", access: "staff", right: "seeFigures", refusals: [] } as const;

export const walletOfficeOperations = {
  viewOverview: defineOperation({
    ...OF_FIGURES,
    path: "/wallet/overview",
    answer: WalletOverview,
  }),
  listStatement: defineOperation({
    ...OF_FIGURES,
    path: "/wallet/statement",
    query: StatementQuery,
    answer: Statement,
  }),
  /** CSV: UTF-8 with a byte order mark. */
  exportStatement: defineOperation({
    ...OF_FIGURES,
    path: "/wallet/statement.csv",
    query: StatementFileQuery,
    answer: Type.String(),
  }),
  setAlert: defineOperation({
    method: "PUT",
    path: "/wallet/alert",
    body: WalletAlertInput,
    answer: WalletAlert,
    access: "owner",
    refusals: [],
  }),
  setTestBalance: defineOperation({
    method: "PUT",
    path: "/wallet/test-balance",
    body: TestBalanceInput,
    answer: WalletOverview,
    access: "owner",
    refusals: [],
  }),
};
