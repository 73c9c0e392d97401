import { type Static, Type } from "typebox";
import { CountryCode, Environment, Input, Timestamp } from "../common.ts";
import { Family } from "./families.ts";
import { defineOperation } from "./operation.ts";

export const PosBrand = Type.Object({
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String({ description: "#rrggbb or empty" }),
  pausedSince: Type.Optional(
    Type.String({ format: "date-time", description: "Sales wait because the provider is slow" }),
  ),
  pausedByHand: Type.Optional(
    Type.Boolean({ description: "Paused by the owner: it cannot be sold at the till" }),
  ),
});
export type PosBrand = Static<typeof PosBrand>;

export const PosBrandQuery = Input({
  productType: Family,
  country: Type.Optional(CountryCode),
});
export type PosBrandQuery = Static<typeof PosBrandQuery>;

/** A brand in the brand picker, with the kinds of its products. */
export const PosBrandTile = Type.Object({
  ...PosBrand.properties,
  countries: Type.Array(Type.String(), {
    description: "Countries of its offers, by code; a regional eSIM has none",
  }),
  subTypes: Type.Array(Type.String(), { description: "Most frequent first" }),
  offers: Type.Integer({ description: "Number of its offers in the requested country" }),
  pinned: Type.Optional(Type.Boolean({ description: "One of its offers is pinned by the owner" })),
});
export type PosBrandTile = Static<typeof PosBrandTile>;

/** `GET /pos/brands`: brands with enabled offers of a family, by name. */
export const PosBrands = Type.Object({ list: Type.Array(PosBrandTile) });
export type PosBrands = Static<typeof PosBrands>;

/** `GET /pos/brands/pauses`: paused brands, whose new purchases wait. */
const BrandPauses = Type.Object({
  list: Type.Array(
    Type.Object({
      brand: Type.String(),
      pausedSince: Timestamp,
      byHand: Type.Boolean({
        description: "True if only a person resumes it; otherwise it resumes automatically",
      }),
    }),
  ),
});

const BrandPauseQuery = Input({ environment: Environment });
const BrandPauseParams = Input({ brand: Type.String({ minLength: 1, maxLength: 128 }) });

export const brandPauseOperations = {
  list: defineOperation({
    method: "GET",
    path: "/brands/pauses",
    query: BrandPauseQuery,
    answer: BrandPauses,
    access: "staff",
    right: "changeCatalog",
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
