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
export { createAuditTrailModule } from "./module.ts";
