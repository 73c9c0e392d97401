import { defineOperation } from "./operation.ts";
import { Till, TillInput, TillParams, Tills } from "./tills.ts";

/** The tills that sold, and what an owner calls them. */
export const tillOperations = {
  list: defineOperation({
    method: "GET",
    path: "/tills",
    answer: Tills,
    access: "staff",
    right: "seeFigures",
    refusals: [],
  }),
  rename: defineOperation({
    method: "PUT",
    path: "/tills/:tillId",
    params: TillParams,
    body: TillInput,
    answer: Till,
    access: "owner",
    refusals: ["NOT_FOUND", "NAME_TAKEN"],
  }),
};
