import { defineOperation } from "./operation.ts";
import { PosStorage } from "./storage.ts";

/** Whether the shop's database can be written and believed. */
export const storageOperations = {
  get: defineOperation({
    method: "GET",
    path: "/storage",
    answer: PosStorage,
    access: "staff",
    refusals: [],
  }),
  /** An owner has taken note of what is missing. */
  settleMissing: defineOperation({
    method: "POST",
    path: "/storage/missing/seen",
    answer: PosStorage,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
