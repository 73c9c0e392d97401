import { defineOperation } from "./operation.ts";
import {
  EsimRefundBegun,
  OfficeTransactionDetails,
  OfficeTransactionParams,
  OfficeTransactions,
  OfficeTransactionsQuery,
  RawAnswer,
} from "./transaction-office.ts";

/** Everything that was bought, for people who may see all sales. */
export const transactionOfficeOperations = {
  list: defineOperation({
    method: "GET",
    path: "/transactions",
    query: OfficeTransactionsQuery,
    answer: OfficeTransactions,
    access: "staff",
    right: "seeExpectedCash",
    refusals: [],
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
  /** Recorded in the audit trail: an answer may hold what the customer redeems. */
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
