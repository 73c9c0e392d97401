export { createReportsModule } from "./module.ts";
export { toHarmlessCell } from "./report-csv.ts";
export { ReportFiles, reportsDirectory } from "./report-files.ts";
export { REPORT_JOB } from "./report-generator.ts";
export { listReadyFiles } from "./report-store.ts";
