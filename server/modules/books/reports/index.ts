import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  Report,
  ReportFileParams,
  ReportInput,
  ReportParams,
} from "../../../contract/v1/reports.ts";
import { getConnections } from "../../../db/connections.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { Base, Module } from "../../module.ts";
import { ReportFiles, ReportParts } from "./report-files.ts";
import {
  REPORT_JOB,
  ReportGenerator,
  ReportService,
  type ReportThread,
  type SendMessage,
} from "./report-service.ts";
import { toReportRecord } from "./report-store.ts";

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

const tags = ["Reports"];
const FILE_TYPE = "application/octet-stream";

function registerReportRoutes(app: App, reports: ReportService): void {
  app.post(
    "/reports/transactions",
    {
      schema: {
        operationId: "requestTransactionReport",
        summary: "Request a report of finished transactions",
        description:
          "Transactions that finished (DONE or FAILED) from `startGte` on and before `endLt`, at most 366 days. Poll the report, a second apart or more, until it is `Ready` or `FAILED`.",
        tags,
        body: ReportInput,
        response: answers(Report),
      },
    },
    async (request) => {
      const address = addressOf(request);
      return toReportRecord(
        await reports.request(clientOf(request), request.body, address),
        address,
      );
    },
  );

  app.get(
    "/reports/transactions/:reportId",
    {
      schema: {
        operationId: "getTransactionReport",
        summary: "Get how a report stands",
        tags,
        params: ReportParams,
        response: answers(Report),
      },
    },
    async (request) => {
      const report = await reports.get(clientOf(request), request.params.reportId);
      return toReportRecord(report, addressOf(request));
    },
  );

  app.get(
    "/reports/transactions/:reportId/:file",
    {
      schema: {
        operationId: "downloadTransactionReport",
        summary: "Download the file of a report",
        description: "CSV (RFC 4180, UTF-8) with a header row, by finish time.",
        tags,
        params: ReportFileParams,
        response: {
          ...answers(Type.String()),
          200: {
            description: "The file",
            content: { [FILE_TYPE]: { schema: Type.String({ format: "binary" }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { reportId, file } = request.params;
      const { size, content } = await reports.openFile(clientOf(request), reportId, file);
      reply
        .type(FILE_TYPE)
        .header("content-length", size)
        .header("content-disposition", `attachment; filename="${file}"`);
      return reply.send(content as never);
    },
  );
}

function addressOf({ protocol, headers }: FastifyRequest): string {
  return `${protocol}://${headers.host}`;
}
