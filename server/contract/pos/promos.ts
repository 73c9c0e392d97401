import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Timestamp } from "../common.ts";

/**
 * A current promotion. The values are delivered amounts to which the promotion applies, in minor
 * units of `currency`. A promotion of eSIMs has no values, because eSIMs deliver no money.
 */
export const PosPromo = Type.Object({
  promoId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String({ description: "Empty without a single country" }),
  startAt: Timestamp,
  endAt: Timestamp,
  minValue: Type.Integer(),
  maxValue: Type.Integer(),
  currency: Type.Optional(CurrencyCode),
  currencyDivisor: Type.Optional(CurrencyDivisor),
  language: Type.String({
    description: "Language of the texts: the requested one, else the shop's, else English",
  }),
  description: Type.String(),
  terms: Type.String(),
  may: Type.Optional(
    Type.Boolean({ description: "True if it is unknown whether it applies: it is not promised" }),
  ),
});
export type PosPromo = Static<typeof PosPromo>;
