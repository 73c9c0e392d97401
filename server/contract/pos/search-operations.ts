import { defineOperation } from "./operation.ts";
import { PosSearchIndex } from "./search-index.ts";

/** What the till keeps, to search it by itself. */
export const searchOperations = {
  getIndex: defineOperation({
    method: "GET",
    path: "/search-index",
    answer: PosSearchIndex,
    access: "seller",
    refusals: [],
  }),
};
