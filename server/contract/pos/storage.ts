import { type Static, Type } from "typebox";
import { Timestamp } from "../common.ts";
import { defineOperation } from "./operation.ts";

/** `GET /pos/storage`: whether the shop's database can be written and relied on. */
export const PosStorage = Type.Object({
  fault: Type.Optional(
    Type.Enum(["FULL", "OTHER"], {
      description: "Why nothing can be sold: the disk is full, or cannot be written otherwise",
    }),
  ),
  missing: Type.Optional(
    Type.Object(
      {
        transactions: Type.Integer({ description: "Purchases, recharges and refunds" }),
        changes: Type.Integer({ description: "Everything that was written" }),
        since: Timestamp,
        until: Timestamp,
      },
      { description: "To an owner: what was committed and is not in the database any more" },
    ),
  ),
  booksBroken: Type.Optional(
    Type.Object(
      { foundAt: Timestamp },
      { description: "To an owner: the audit found books that are not in order" },
    ),
  ),
});
export type PosStorage = Static<typeof PosStorage>;

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
