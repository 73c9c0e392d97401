import { type Static, Type } from "typebox";
import { Timestamp } from "../common.ts";
import { defineOperation } from "./operation.ts";

/** `GET /pos/storage`: whether the shop's database is writable and complete. */
export const PosStorage = Type.Object({
  fault: Type.Optional(
    Type.Enum(["FULL", "OTHER"], {
      description: "Reason why nothing can be sold: the disk is full, or not writable",
    }),
  ),
  missing: Type.Optional(
    Type.Object(
      {
        transactions: Type.Integer({ description: "Purchases, recharges and refunds" }),
        changes: Type.Integer({ description: "All changes" }),
        since: Timestamp,
        until: Timestamp,
      },
      { description: "For owners: commits that are missing in the database" },
    ),
  ),
  booksBroken: Type.Optional(
    Type.Object(
      { foundAt: Timestamp },
      { description: "For owners: the audit found that the books are not in order" },
    ),
  ),
});
export type PosStorage = Static<typeof PosStorage>;

export const storageOperations = {
  get: defineOperation({
    method: "GET",
    path: "/storage",
    answer: PosStorage,
    access: "staff",
  }),
  settleMissing: defineOperation({
    method: "POST",
    path: "/storage/missing/seen",
    answer: PosStorage,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
