import { type Static, Type } from "typebox";
import { ClientId, Input, Timestamp } from "../common.ts";
import { defineOperation } from "./operation.ts";
import { Pin } from "./pins.ts";
import { Need } from "./rights.ts";
import { StaffName, StaffNames } from "./staff.ts";

/**
 * `POST /pos/approvals`: a person with the permission approves a refused request without signing
 * in. The approval is valid once, for five minutes, and only for that request, its sender and the
 * displayed facts, which are audited (rules#approval-one-request). A wrong PIN counts towards the
 * same lock as at sign-in.
 */
export const ApprovalInput = Input({
  approvalId: ClientId,
  staffId: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Pin,
  rights: Type.Array(Need, { minItems: 1, maxItems: 12 }),
  subject: Type.String({
    pattern: "^[A-Za-z0-9_-]{1,128}$",
    description: "the id of what is approved, such as the sale's",
  }),
  requestDigest: Type.String({
    pattern: "^[0-9a-f]{64}$",
    description: "`fields.requestDigest` of the refusal: what was asked for, to the last field",
  }),
  facts: Type.String({
    maxLength: 4_000,
    description: "`fields.facts` of the refusal: what whoever approves was shown",
  }),
});
export type ApprovalInput = Static<typeof ApprovalInput>;

export const Approval = Type.Object({
  approvalId: Type.String(),
  approvedBy: StaffName,
  subject: Type.String(),
  requestDigest: Type.String(),
  rights: Type.Array(Need),
  expiresAt: Timestamp,
});
export type Approval = Static<typeof Approval>;

/** The facts of a request that people see: amounts, reason, items and recipient. */
export type Facts = Record<string, string | number | boolean>;

/** Parses `fields.facts` of a refusal; returns undefined for any other text. */
export function readFacts(text: string): Facts | undefined {
  try {
    const facts: unknown = JSON.parse(text);
    if (typeof facts !== "object" || facts === null || Array.isArray(facts)) return undefined;
    const isFlat = Object.values(facts).every((value) =>
      ["string", "number", "boolean"].includes(typeof value),
    );
    return isFlat ? (facts as Facts) : undefined;
  } catch {
    return undefined;
  }
}

/** `GET /pos/approvers`: people with the permissions in `fields.needs` of a refusal. */
const ApproversQuery = Input({
  needs: Type.String({
    pattern: "^[A-Za-z._=0-9]+( [A-Za-z._=0-9]+){0,11}$",
    description: "rights with their figures, such as discountPct=15 perSale=60000",
  }),
});

export const approvalOperations = {
  listApprovers: defineOperation({
    method: "GET",
    path: "/approvers",
    query: ApproversQuery,
    answer: StaffNames,
    access: "seller",
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
