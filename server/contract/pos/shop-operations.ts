import { Type } from "typebox";
import { defineOperation } from "./operation.ts";
import { ShopChange, ShopFacts } from "./shop.ts";
import { LARGEST_LOGO, ShopLogoInput, ShopLogoParams, ShopLogoState } from "./shop-logo.ts";

/** Base64 takes four bytes for three. */
const LOGO_BODY_BYTES = 2 * LARGEST_LOGO;

/** The shop's name, language and country, after set-up. */
export const shopOperations = {
  get: defineOperation({
    method: "GET",
    path: "/shop",
    answer: ShopFacts,
    access: "owner",
    refusals: [],
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/shop",
    body: ShopChange,
    answer: ShopFacts,
    access: "owner",
    refusals: [],
  }),
  /** The picture itself: the customer's display shows it, too. */
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
    refusals: [],
  }),
  removeLogo: defineOperation({
    method: "DELETE",
    path: "/shop/logo",
    answer: ShopLogoState,
    access: "owner",
    refusals: [],
  }),
};
