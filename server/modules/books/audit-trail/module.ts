import type { Base, Module } from "../../module.ts";
import { AuditService } from "./audit-trail.ts";

export function createAuditTrailModule({ db }: Base) {
  const auditTrail = new AuditService(db);
  return {
    services: { auditTrail },
    pos: async (app) => (await import("./audit-routes.ts")).registerAuditRoutes(app, auditTrail),
  } satisfies Module;
}
