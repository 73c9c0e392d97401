import { BackupWorkInput, PosBackups, RestoreInput, SecondPlaceInput } from "./backups.ts";
import { defineOperation } from "./operation.ts";

/** Copies of the database. */
export const backupOperations = {
  list: defineOperation({
    method: "GET",
    path: "/backups",
    answer: PosBackups,
    access: "owner",
    refusals: [],
  }),
  /** Answers at once; what comes of it stands in the list. */
  work: defineOperation({
    method: "POST",
    path: "/backups/work",
    body: BackupWorkInput,
    answer: PosBackups,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  askRestore: defineOperation({
    method: "PUT",
    path: "/backups/restore",
    body: RestoreInput,
    answer: PosBackups,
    access: "owner",
    refusals: ["NOT_FOUND", "PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING"],
  }),
  withdrawRestore: defineOperation({
    method: "DELETE",
    path: "/backups/restore",
    answer: PosBackups,
    access: "owner",
    refusals: [],
  }),
  /** Every backup is copied there from now on, and those that there are. */
  setSecond: defineOperation({
    method: "PUT",
    path: "/backups/second",
    body: SecondPlaceInput,
    answer: PosBackups,
    access: "owner",
    refusals: [],
  }),
  removeSecond: defineOperation({
    method: "DELETE",
    path: "/backups/second",
    answer: PosBackups,
    access: "owner",
    refusals: [],
  }),
};
