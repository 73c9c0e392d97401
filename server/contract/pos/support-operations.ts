import { defineOperation } from "./operation.ts";
import { PosNetwork, SupportFile } from "./support.ts";

/** What an owner hands to the support. */
export const supportOperations = {
  getNetwork: defineOperation({
    method: "GET",
    path: "/network",
    answer: PosNetwork,
    access: "owner",
    refusals: [],
  }),
  makeFile: defineOperation({
    method: "POST",
    path: "/support-file",
    answer: SupportFile,
    access: "owner",
    refusals: [],
  }),
};
