export { registerAuditRoutes } from "./audit-routes.ts";
export { AuditService } from "./audit-service.ts";
export {
  type AuditDetail,
  type AuditEntry,
  findAudit,
  findLastAudit,
  recordAudit,
} from "./audit-store.ts";
export { whatChanged } from "./what-changed.ts";
