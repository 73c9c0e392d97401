import { Type } from "typebox";
import { Environment, Input } from "../common.ts";

/** `POST /pos/wallet/recharges`: what an owner funded a wallet with, minor units of its currency. */
export const RechargeInput = Input({
  environment: Environment,
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
});
