import { BrandPauseParams, BrandPauseQuery, BrandPauses } from "./brand-pauses.ts";
import { defineOperation } from "./operation.ts";

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
