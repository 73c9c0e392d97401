import { defineOperation } from "./operation.ts";
import { ShopTenders, ShopTendersInput } from "./shop-tenders.ts";

/** The ways of paying that the shop names. */
export const shopTenderOperations = {
  list: defineOperation({
    method: "GET",
    path: "/tenders",
    answer: ShopTenders,
    access: "owner",
    refusals: [],
  }),
  save: defineOperation({
    method: "PUT",
    path: "/tenders",
    body: ShopTendersInput,
    answer: ShopTenders,
    access: "owner",
    refusals: ["TENDERS_CHANGED"],
  }),
};
