import { defineOperation } from "./operation.ts";
import { PosSettings } from "./settings.ts";

/** What an owner switches. */
export const settingsOperations = {
  get: defineOperation({
    method: "GET",
    path: "/settings",
    answer: PosSettings,
    access: "owner",
    refusals: [],
  }),
  change: defineOperation({
    method: "PUT",
    path: "/settings",
    body: PosSettings,
    answer: PosSettings,
    access: "owner",
    refusals: [],
  }),
};
