import { Type } from "typebox";
import { Environment, Input } from "../common.ts";
import { ClientId } from "./client-id.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { Pin } from "./pins.ts";
import { WalletFigures } from "./wallet.ts";

/**
 * `POST /pos/wallet/recharges`: what an owner funded a wallet with, minor units of its currency, and
 * what it is found again by, such as the number of a transfer. With what was `paid` for it in the
 * shop's money, figures say the FX result (rules#figure-fx). Sending the same again books nothing; a
 * reference that a recharge has already is REFERENCE_USED, unless it `isSure` (rules#wallet-recharge).
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

/** The wallet as it is then. */
const RechargedWallet = Type.Object({
  environment: Environment,
  ...WalletFigures.properties,
});

const RechargeParams = Input({ rechargeId: ClientId });

/**
 * `POST /pos/wallet/recharges/{rechargeId}/reversal`: takes a recharge back that was booked by mistake, once,
 * by an entry of its own. Sending the same again books nothing.
 */
const ReversalInput = Input({
  environment: Environment,
  reversalId: ClientId,
  reason: Name(120),
  pin: Pin,
});

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
