import { defineOperation } from "./operation.ts";
import { Reach } from "./reach.ts";

/** How other machines get in. */
export const reachOperations = {
  look: defineOperation({
    method: "GET",
    path: "/network/reach",
    answer: Reach,
    access: "owner",
    refusals: [],
  }),
};
