import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Environment, Input, MinorAmount } from "../common.ts";
import { PurchaseValue } from "../v1/purchase-record.ts";

export const WALLET_LEVELS = ["enough", "low", "empty"] as const;
/** How long a wallet lasts (rules#wallet-low). */
export type WalletLevel = (typeof WALLET_LEVELS)[number];

/** What a wallet that is short can still pay for, as everybody at a till may know it. */
export const WalletShort = Type.Object({
  upTo: Type.Integer({
    minimum: 0,
    description: "Sales up to about that, in the shop's currency: its first two digits",
  }),
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
});
export type WalletShort = Static<typeof WalletShort>;

/** What a wallet holds, in minor units of its own currency. */
export const WalletFigures = Type.Object({
  available: MinorAmount,
  held: MinorAmount,
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
});
export type WalletFigures = Static<typeof WalletFigures>;

/** `GET /pos/wallet`: what the wallet of where the session sells can pay for now. */
export const PosWallet = Type.Object({
  environment: Environment,
  level: Type.Enum(WALLET_LEVELS),
  paysBelow: Type.Integer({
    minimum: 0,
    description: "It pays for the offers whose `costRank` is below this",
  }),
  short: Type.Optional(WalletShort),
  figures: Type.Optional(
    Type.Object(WalletFigures.properties, { description: "With the right `seeExpectedCash`" }),
  ),
});
export type PosWallet = Static<typeof PosWallet>;

/** `POST /pos/wallet/check`: whether the wallet can pay for all of these. Changes nothing. */
export const WalletCheckInput = Input({
  lines: Type.Array(
    Input({
      offerId: Type.String({ minLength: 1, maxLength: 128 }),
      value: Type.Optional(PurchaseValue),
    }),
    { minItems: 1, maxItems: 20 },
  ),
});
export type WalletCheckInput = Static<typeof WalletCheckInput>;

/** `short` is missing where it can. A line that cannot be sold counts as nothing. */
export const WalletCheck = Type.Object({ short: Type.Optional(WalletShort) });
export type WalletCheck = Static<typeof WalletCheck>;
