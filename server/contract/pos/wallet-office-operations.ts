import { Type } from "typebox";
import { defineOperation } from "./operation.ts";
import {
  Statement,
  StatementFileQuery,
  StatementQuery,
  TestBalanceInput,
  WalletAlert,
  WalletAlertInput,
  WalletOverview,
} from "./wallet-office.ts";

const OF_FIGURES = { method: "GET", access: "staff", right: "seeFigures", refusals: [] } as const;

/** The wallet as the back office looks after it. */
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
