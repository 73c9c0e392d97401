import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, MinorAmount } from "../common.ts";

/** Wallet balance: minor units that can be spent now, holds taken off (rules#wallet-balance). */
export const Balance = Type.Object(
  {
    availableBalance: MinorAmount,
    currency: CurrencyCode,
    currencyDivisor: CurrencyDivisor,
  },
  { title: "Balance", description: "What can be spent now; holds are already taken off" },
);
export type Balance = Static<typeof Balance>;
