export {
  type AuditDetail,
  type AuditEntry,
  findAudit,
  findLastAudit,
  findLastTime,
  findNewest,
  recordAudit,
} from "./audit-store.ts";
export { createAuditTrailModule } from "./module.ts";
export { whatChanged } from "./what-changed.ts";
