import { type Static, Type } from "typebox";
import { currencyUnit, MinorAmount } from "../common.ts";

/** Wallet balance: the spendable minor units, without holds (rules#wallet-balance). */
export const Balance = Type.Object(
  {
    availableBalance: MinorAmount,
    ...currencyUnit,
  },
  { title: "Balance", description: "Spendable balance; held amounts are subtracted" },
);
export type Balance = Static<typeof Balance>;
