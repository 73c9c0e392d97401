import {
  CopyInput,
  CopyResult,
  DifferenceQuery,
  EnvironmentDifferences,
} from "./environment-copy.ts";
import { defineOperation } from "./operation.ts";

/** What differs between test and live, and what an owner copies from one to the other. */
export const environmentCopyOperations = {
  list: defineOperation({
    method: "GET",
    path: "/environment-differences",
    query: DifferenceQuery,
    answer: EnvironmentDifferences,
    access: "owner",
    refusals: [],
  }),
  copy: defineOperation({
    method: "POST",
    path: "/environment-differences/copies",
    body: CopyInput,
    answer: CopyResult,
    access: "owner",
    refusals: ["DIFFERENCE_CHANGED"],
    bodyLimitBytes: 1024 * 1024,
  }),
};
