import { getConnections } from "../../../db/connections.ts";
import type { Base, Module } from "../../module.ts";
import { ReportFiles, ReportParts } from "./report-files.ts";
import { registerReportRoutes } from "./report-routes.ts";
import {
  REPORT_JOB,
  ReportGenerator,
  ReportService,
  type ReportThread,
  type SendMessage,
} from "./report-service.ts";

export { toHarmlessCell } from "./report-csv.ts";
export { ReportFiles, reportsDirectory } from "./report-files.ts";
export { REPORT_JOB } from "./report-service.ts";
export { listReadyFiles } from "./report-store.ts";

type ReportsModuleDeps = Base & { background: ReportThread; sendMessage: SendMessage };

export function createReportsModule(base: ReportsModuleDeps) {
  const isServer = getConnections(base.db).engine === "postgres";
  const parts = isServer ? new ReportParts(base) : undefined;
  const files = new ReportFiles(base.config.dataDir, parts);
  const reports = new ReportService({ ...base, files });
  const generator = new ReportGenerator({ ...base, files });
  return {
    services: { reports, reportFiles: files },
    jobs: [{ kind: REPORT_JOB, run: (subject) => generator.generate(subject), concurrency: 1 }],
    v1: (app) => registerReportRoutes(app, reports),
    stop: () => generator.stop(),
  } satisfies Module;
}
