import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { AuditService, keepMachineClock } from "./audit-trail.ts";

export {
  type AuditDetail,
  type AuditEntry,
  findAudit,
  findLastAudit,
  findLastTime,
  findNewest,
  recordAudit,
  whatChanged,
} from "./audit-trail.ts";

export function createAuditTrailModule({ db, clock, machineClock }: Base) {
  if (machineClock !== clock) keepMachineClock(db, machineClock);
  const auditTrail = new AuditService(db);
  return {
    services: { auditTrail },
    pos: (app) => registerAuditRoutes(app, auditTrail),
  } satisfies Module;
}

async function registerAuditRoutes(app: App, auditTrail: AuditService): Promise<void> {
  const { auditOperations } = await import("../../../contract/pos/audit-trail.ts");
  handle(app, auditOperations.list, ({ actor, query }) => auditTrail.list(actor.accountId, query));
}
