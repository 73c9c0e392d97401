export { ReportFiles } from "./report-files.ts";
export { REPORT_JOB, ReportGenerator } from "./report-generator.ts";
export { registerReportRoutes } from "./report-routes.ts";
export { ReportService } from "./report-service.ts";
export { listReadyFiles } from "./report-store.ts";
