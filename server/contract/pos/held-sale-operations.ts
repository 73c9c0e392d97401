import { HeldSale, HeldSaleInput, HeldSaleParams, HeldSales, ResumeInput } from "./held-sales.ts";
import { defineOperation, NOTHING } from "./operation.ts";

/** Baskets put aside. */
export const heldSaleOperations = {
  hold: defineOperation({
    method: "POST",
    path: "/held-sales",
    body: HeldSaleInput,
    answer: HeldSale,
    access: "seller",
    refusals: ["ID_TAKEN"],
  }),
  list: defineOperation({
    method: "GET",
    path: "/held-sales",
    answer: HeldSales,
    access: "seller",
    refusals: [],
  }),
  resume: defineOperation({
    method: "POST",
    path: "/held-sales/:heldSaleId/resume",
    params: HeldSaleParams,
    body: ResumeInput,
    answer: HeldSale,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
  discard: defineOperation({
    method: "DELETE",
    path: "/held-sales/:heldSaleId",
    params: HeldSaleParams,
    answer: NOTHING,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
};
