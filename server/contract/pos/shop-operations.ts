import { defineOperation } from "./operation.ts";
import { ShopChange, ShopFacts } from "./shop.ts";

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
};
