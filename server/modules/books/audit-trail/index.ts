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
    pos: async (app) => (await import("./audit-routes.ts")).registerAuditRoutes(app, auditTrail),
  } satisfies Module;
}
