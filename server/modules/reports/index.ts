export { createReportsModule } from "./module.ts";
export { ReportFiles } from "./report-files.ts";
export { listReadyFiles } from "./report-store.ts";
