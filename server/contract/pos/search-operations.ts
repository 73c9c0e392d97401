import { defineOperation } from "./operation.ts";
import { PosSearchIndex } from "./search-index.ts";
import { UsualChoices } from "./usual-choices.ts";

/** What the till keeps, to search it by itself. */
export const searchOperations = {
  getIndex: defineOperation({
    method: "GET",
    path: "/search-index",
    answer: PosSearchIndex,
    access: "seller",
    refusals: [],
  }),
  listUsualChoices: defineOperation({
    method: "GET",
    path: "/usual-choices",
    answer: UsualChoices,
    access: "seller",
    refusals: [],
  }),
};
