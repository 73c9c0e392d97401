import type { Base, Module } from "../module.ts";
import { registerAuditRoutes } from "./audit-routes.ts";
import { AuditService } from "./audit-service.ts";

export function createAuditTrailModule({ db }: Base) {
  const auditTrail = new AuditService(db);
  return {
    services: { auditTrail },
    pos: (app) => registerAuditRoutes(app, auditTrail),
  } satisfies Module;
}
