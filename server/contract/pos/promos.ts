import { type Static, Type } from "typebox";
import {
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  LanguageCode,
  Timestamp,
} from "../common.ts";

/**
 * A promotion that runs now. Values are what must be delivered for it to apply, in minor units of the
 * currency; an eSIM's has none, since it delivers no money.
 */
export const PosPromo = Type.Object({
  promoId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  country: Type.String({ description: "Empty where it is for no country alone" }),
  startAt: Timestamp,
  endAt: Timestamp,
  minValue: Type.Integer(),
  maxValue: Type.Integer(),
  currency: Type.Optional(CurrencyCode),
  currencyDivisor: Type.Optional(CurrencyDivisor),
  language: Type.String({
    description: "Of the texts: the one asked for, else the shop's, else English",
  }),
  description: Type.String(),
  terms: Type.String(),
  may: Type.Optional(
    Type.Boolean({ description: "It cannot be told whether it applies: nobody is promised it" }),
  ),
});
export type PosPromo = Static<typeof PosPromo>;

/** Query of `GET /pos/promos`; one of the two is given. */
export const PosPromoQuery = Input({
  country: Type.Optional(CountryCode),
  brand: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  language: Type.Optional(LanguageCode),
});
export type PosPromoQuery = Static<typeof PosPromoQuery>;

/** Those that end first come first. */
export const PosPromos = Type.Object({ list: Type.Array(PosPromo) });
