import { defineOperation } from "./operation.ts";
import { RechargedWallet, RechargeInput } from "./recharges.ts";

/** What an owner funded the wallet with. */
export const rechargeOperations = {
  recharge: defineOperation({
    method: "POST",
    path: "/wallet/recharges",
    body: RechargeInput,
    answer: RechargedWallet,
    access: "owner",
    refusals: [],
  }),
};
