import { AuditPage, AuditQuery } from "./audit-trail.ts";
import { defineOperation } from "./operation.ts";

/** Who did what, for owners and accountants. */
export const auditOperations = {
  list: defineOperation({
    method: "GET",
    path: "/audit-trail",
    query: AuditQuery,
    answer: AuditPage,
    access: "bookkeeper",
    refusals: [],
  }),
};
