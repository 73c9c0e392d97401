import { Type } from "typebox";
import { ClientId, Environment, Input } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { Pin } from "./pins.ts";
import { WalletFigures } from "./wallet.ts";

/**
 * `POST /pos/wallet/recharges`: an amount that an owner paid into a wallet, in minor units of its
 * currency, with a reference such as the number of a transfer. `paid` is the price of the recharge
 * in the shop's currency; with it, figures include the FX result (rules#figure-fx). A repeat books
 * nothing. The reference of another recharge is refused as REFERENCE_USED, unless `isSure` is true
 * (rules#wallet-recharge).
 */
const RechargeInput = Input({
  rechargeId: ClientId,
  environment: Environment,
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
  reference: Type.Optional(Name(60)),
  isSure: Type.Optional(Type.Boolean({ description: "the reference was looked at twice" })),
  paid: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999,
      description: "a whole number: what it cost, in minor units of the shop's currency",
    }),
  ),
});

const RechargedWallet = Type.Object({
  environment: Environment,
  ...WalletFigures.properties,
});

const RechargeParams = Input({ rechargeId: ClientId });

/**
 * `POST /pos/wallet/recharges/{rechargeId}/reversal`: reverses a mistaken recharge by a new entry.
 * A repeat books nothing.
 */
const ReversalInput = Input({
  environment: Environment,
  reversalId: ClientId,
  reason: Name(120),
  pin: Pin,
});

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
