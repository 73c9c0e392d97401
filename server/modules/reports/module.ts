import type { Base, Module } from "../module.ts";
import { ReportFiles } from "./report-files.ts";
import { REPORT_JOB, ReportGenerator, type ReportThread } from "./report-generator.ts";
import { registerReportRoutes } from "./report-routes.ts";
import { ReportService } from "./report-service.ts";

export function createReportsModule(base: Base & { background: ReportThread }) {
  const files = new ReportFiles(base.config.dataDir);
  const reports = new ReportService({ ...base, files });
  const generator = new ReportGenerator(base);
  return {
    services: { reports, reportFiles: files },
    jobs: [{ kind: REPORT_JOB, run: (subject) => generator.generate(subject), concurrency: 1 }],
    v1: (app) => registerReportRoutes(app, reports),
    // A long report is given up within some rows, and its job begins it again after the next start.
    stop: () => generator.stop(),
  } satisfies Module;
}
