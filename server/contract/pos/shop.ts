import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { LONGEST_SHOP_NAME, Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { Language } from "./setup.ts";
import { LARGEST_LOGO, ShopLogoInput, ShopLogoParams, ShopLogoState } from "./shop-logo.ts";

/**
 * `GET` and `PATCH /pos/shop` (owner): name and country of the shop. A PATCH
 * changes only given fields.
 */
export const ShopChange = Input({
  name: Type.Optional(Name(LONGEST_SHOP_NAME)),
  language: Type.Optional(Language),
  country: Type.Optional(
    Type.String({
      pattern: "^([A-Z]{2})?$",
      description: "ISO 3166-1 alpha-2; empty derives it from currency and time zone",
    }),
  ),
});
export type ShopChange = Static<typeof ShopChange>;

export const ShopFacts = Type.Object({
  name: Type.String(),
  language: Language,
  country: Type.String({ description: "Country of the shop; empty if unknown" }),
  chosenCountry: Type.Boolean({ description: "True if an owner chose it" }),
});
export type ShopFacts = Static<typeof ShopFacts>;

const LOGO_BODY_BYTES = 2 * LARGEST_LOGO;

export const shopOperations = {
  get: defineOperation({
    method: "GET",
    path: "/shop",
    answer: ShopFacts,
    access: "owner",
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/shop",
    body: ShopChange,
    answer: ShopFacts,
    access: "owner",
  }),
  /** Public, because a customer's display shows the logo too. */
  readLogo: defineOperation({
    method: "GET",
    path: "/shop/logo/:digest",
    params: ShopLogoParams,
    answer: Type.String(),
    access: "anyone",
    refusals: ["NOT_FOUND"],
  }),
  setLogo: defineOperation({
    method: "PUT",
    path: "/shop/logo",
    body: ShopLogoInput,
    answer: ShopLogoState,
    access: "owner",
    bodyLimitBytes: LOGO_BODY_BYTES,
  }),
  removeLogo: defineOperation({
    method: "DELETE",
    path: "/shop/logo",
    answer: ShopLogoState,
    access: "owner",
  }),
};
