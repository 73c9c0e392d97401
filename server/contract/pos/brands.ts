import { type Static, Type } from "typebox";
import { CountryCode, Environment, Input, Timestamp } from "../common.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";

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

/** `GET /pos/brands/pauses`: brands whose new purchases wait. */
const BrandPauses = Type.Object({
  list: Type.Array(
    Type.Object({
      brand: Type.String(),
      pausedSince: Timestamp,
      byHand: Type.Boolean({ description: "Ended by hand only; otherwise by itself" }),
    }),
  ),
});

const BrandPauseQuery = Input({ environment: Environment });
const BrandPauseParams = Input({ brand: Type.String({ minLength: 1, maxLength: 128 }) });

/** Brands that an owner pauses and resumes. */
export const brandPauseOperations = {
  list: defineOperation({
    method: "GET",
    path: "/brands/pauses",
    query: BrandPauseQuery,
    answer: BrandPauses,
    access: "staff",
    right: "changeCatalog",
    refusals: [],
  }),
  pause: defineOperation({
    method: "PUT",
    path: "/brands/:brand/pause",
    params: BrandPauseParams,
    query: BrandPauseQuery,
    answer: BrandPauses,
    access: "staff",
    right: "changeCatalog",
    refusals: ["NOT_FOUND"],
  }),
  resume: defineOperation({
    method: "DELETE",
    path: "/brands/:brand/pause",
    params: BrandPauseParams,
    query: BrandPauseQuery,
    answer: BrandPauses,
    access: "staff",
    right: "changeCatalog",
    refusals: ["NOT_FOUND"],
  }),
};
