import { AuditPage, AuditQuery } from "../../contract/pos/audit-trail.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { AuditService } from "./audit-service.ts";

/** Who did what; for the owner. */
export function registerAuditRoutes(app: App, auditTrail: AuditService): void {
  app.get(
    "/audit-trail",
    {
      onRequest: requireOwner,
      schema: { querystring: AuditQuery, response: answers(AuditPage) },
    },
    (request) => auditTrail.list(cashierOf(request).accountId, request.query),
  );
}
