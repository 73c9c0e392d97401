import { Type } from "typebox";
import { Environment, Input } from "../common.ts";
import { Name } from "./name.ts";
import { WalletFigures } from "./wallet.ts";

/**
 * `POST /pos/wallet/recharges`: what an owner funded a wallet with, minor units of its currency, and
 * what it is found again by, such as the number of a transfer.
 */
export const RechargeInput = Input({
  environment: Environment,
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
  reference: Type.Optional(Name(60)),
});

/** The wallet as it is then. */
export const RechargedWallet = Type.Object({
  environment: Environment,
  ...WalletFigures.properties,
});
