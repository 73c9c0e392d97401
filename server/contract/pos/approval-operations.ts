import { Approval, ApprovalInput, ApproversQuery } from "./approvals.ts";
import { defineOperation } from "./operation.ts";
import { StaffNames } from "./staff.ts";

/** Approvals in place. */
export const approvalOperations = {
  listApprovers: defineOperation({
    method: "GET",
    path: "/approvers",
    query: ApproversQuery,
    answer: StaffNames,
    access: "seller",
    refusals: [],
  }),
  approve: defineOperation({
    method: "POST",
    path: "/approvals",
    body: ApprovalInput,
    answer: Approval,
    access: "seller",
    refusals: [
      "APPROVER_NOT_ALLOWED",
      "PIN_WRONG",
      "PIN_LOCKED",
      "PIN_KEY_MISSING",
      "PIN_DUE",
      "ID_TAKEN",
    ],
  }),
};
