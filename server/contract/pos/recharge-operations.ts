import { defineOperation } from "./operation.ts";
import { RechargedWallet, RechargeInput, RechargeParams, ReversalInput } from "./recharges.ts";

/** The funding of wallets by an owner. */
export const rechargeOperations = {
  recharge: defineOperation({
    method: "POST",
    path: "/wallet/recharges",
    body: RechargeInput,
    answer: RechargedWallet,
    access: "owner",
    refusals: ["ID_TAKEN", "REFERENCE_USED"],
  }),
  reverseRecharge: defineOperation({
    method: "POST",
    path: "/wallet/recharges/:rechargeId/reversal",
    params: RechargeParams,
    body: ReversalInput,
    answer: RechargedWallet,
    access: "owner",
    refusals: [
      "NOT_FOUND",
      "ID_TAKEN",
      "RECHARGE_REVERSED",
      "RECHARGE_SPENT",
      "PIN_WRONG",
      "PIN_LOCKED",
      "PIN_KEY_MISSING",
    ],
  }),
};
