import { defineOperation } from "./operation.ts";
import {
  ReconciliationCases,
  ReconciliationInput,
  ReconciliationParams,
  ReconciliationQuery,
  ReconciliationResult,
} from "./reconciliation.ts";

/** Transactions whose outcome only the provider knows, for an owner to settle. */
export const reconciliationOperations = {
  list: defineOperation({
    method: "GET",
    path: "/reconciliation",
    query: ReconciliationQuery,
    answer: ReconciliationCases,
    access: "staff",
    right: "settleCases",
    refusals: [],
  }),
  settle: defineOperation({
    method: "POST",
    path: "/reconciliation/:transactionId",
    params: ReconciliationParams,
    body: ReconciliationInput,
    answer: ReconciliationResult,
    access: "staff",
    right: "settleCases",
    refusals: ["NOT_FOUND", "ALREADY_SETTLED", "WALLET_SHORT", "REFUND_NOT_ALLOWED"],
  }),
};
