export { type AuditReport, auditBooks, auditSnapshot } from "./ledger-audit.ts";
