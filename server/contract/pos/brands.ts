import { type Static, Type } from "typebox";
import { CountryCode, Input } from "../common.ts";
import { Family } from "./families.ts";

/** A brand as a tile: its name in its colour, no artwork. */
export const PosBrand = Type.Object({
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String({ description: "#rrggbb or empty" }),
  pausedSince: Type.Optional(
    Type.String({ format: "date-time", description: "Its provider is slow: sales wait" }),
  ),
  pausedByHand: Type.Optional(
    Type.Boolean({ description: "The owner paused it: it cannot be sold at the till" }),
  ),
});
export type PosBrand = Static<typeof PosBrand>;

/** Query of `GET /pos/brands`. */
export const PosBrandQuery = Input({
  productType: Family,
  country: Type.Optional(CountryCode),
});
export type PosBrandQuery = Static<typeof PosBrandQuery>;

/** A brand of the picker, with the kinds of products that it sells. */
export const PosBrandTile = Type.Object({
  ...PosBrand.properties,
  countries: Type.Array(Type.String(), {
    description: "Where its offers are for, by code; a regional eSIM is for none",
  }),
  subTypes: Type.Array(Type.String(), { description: "Most frequent first" }),
  offers: Type.Integer({ description: "How many are sold, in the country that was asked for" }),
  pinned: Type.Optional(Type.Boolean({ description: "The owner put one of its offers first" })),
});
export type PosBrandTile = Static<typeof PosBrandTile>;

/** `GET /pos/brands`: brands with enabled offers of a family, by name. */
export const PosBrands = Type.Object({ list: Type.Array(PosBrandTile) });
export type PosBrands = Static<typeof PosBrands>;
