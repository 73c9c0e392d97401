import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  Report,
  ReportFileParams,
  ReportInput,
  ReportParams,
} from "../../../contract/v1/reports.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { ReportService } from "./report-service.ts";
import { toReportRecord } from "./report-store.ts";

const tags = ["Reports"];
const FILE_TYPE = "application/octet-stream";

export function registerReportRoutes(app: App, reports: ReportService): void {
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
