import { type Static, Type } from "typebox";
import { currencyUnit, Environment, Input, MinorAmount } from "../common.ts";
import { PurchaseValue } from "../v1/purchase-record.ts";

export const WALLET_LEVELS = ["enough", "low", "empty"] as const;
/** Levels of a wallet (rules#wallet-low). */
export type WalletLevel = (typeof WALLET_LEVELS)[number];

/** Spendable amount of a low wallet, which everybody at a till may see. */
export const WalletShort = Type.Object({
  upTo: Type.Integer({
    minimum: 0,
    description: "Approximate maximum of sales in the shop's currency, with two significant digits",
  }),
  ...currencyUnit,
});
export type WalletShort = Static<typeof WalletShort>;

/** Amounts are minor units of the wallet's currency. */
export const WalletFigures = Type.Object({
  available: MinorAmount,
  held: MinorAmount,
  ...currencyUnit,
});
export type WalletFigures = Static<typeof WalletFigures>;

/** `GET /pos/wallet`: level of the session's wallet, and the purchases that it can pay for. */
export const PosWallet = Type.Object({
  environment: Environment,
  level: Type.Enum(WALLET_LEVELS),
  paysBelow: Type.Integer({
    minimum: 0,
    description: "The wallet pays for offers with a `costRank` below this",
  }),
  short: Type.Optional(WalletShort),
  figures: Type.Optional(
    Type.Object(WalletFigures.properties, {
      description: "Present with the permission `seeExpectedCash`",
    }),
  ),
});
export type PosWallet = Static<typeof PosWallet>;

/** `POST /pos/wallet/check`: checks whether the wallet can pay for all items. Changes nothing. */
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

/** `short` is absent if the wallet can pay for all items. An unsellable item counts as 0. */
export const WalletCheck = Type.Object({ short: Type.Optional(WalletShort) });
export type WalletCheck = Static<typeof WalletCheck>;
