export { type AuditReport, auditBooks } from "./ledger-audit.ts";
