import { auditOperations } from "../../../contract/pos/audit-trail.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { AuditService } from "./audit-trail.ts";

export function registerAuditRoutes(app: App, auditTrail: AuditService): void {
  handle(app, auditOperations.list, ({ actor, query }) => auditTrail.list(actor.accountId, query));
}
