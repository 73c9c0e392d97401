import { Type } from "typebox";
import { Environment, Input } from "../common.ts";
import { Name } from "./name.ts";
import { WalletFigures } from "./wallet.ts";

/**
 * `POST /pos/wallet/recharges`: what an owner funded a wallet with, minor units of its currency, and
 * what it is found again by, such as the number of a transfer. With what was `paid` for it in the
 * shop's money, figures say the FX result (rules#figure-fx).
 */
export const RechargeInput = Input({
  environment: Environment,
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
  reference: Type.Optional(Name(60)),
  paid: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999,
      description: "a whole number: what it cost, in minor units of the shop's currency",
    }),
  ),
});

/** The wallet as it is then. */
export const RechargedWallet = Type.Object({
  environment: Environment,
  ...WalletFigures.properties,
});
