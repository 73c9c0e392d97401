import type { ReadStream } from "node:fs";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Problem } from "../../../contract/problem.ts";
import {
  Report,
  ReportFileParams,
  ReportInput,
  ReportParams,
} from "../../../contract/v1/reports.ts";
import type { Scope } from "../../../db/changes.ts";
import { getConnections } from "../../../db/connections.ts";
import type { Tx } from "../../../db/database.ts";
import { placeOfDatabase } from "../../../db/database-place.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { HOUR } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import type { ReportOrder } from "./report-csv.ts";
import { describeWriteFault, ReportFiles, ReportParts } from "./report-files.ts";
import {
  createReport,
  findReport,
  parsePeriod,
  type ReportOutcome,
  type ReportRef,
  type StoredReport,
  toReportRecord,
  transitionReport,
} from "./report-store.ts";

interface ReportServiceDeps extends Pick<Base, "db" | "transactor" | "clock" | "ids"> {
  files: ReportFiles;
}

class ReportService {
  readonly #deps: ReportServiceDeps;

  constructor(deps: ReportServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @param address address of the gateway in the request
   * @throws Problem INVALID_REQUEST naming the error in the period
   */
  async request(scope: Scope, input: ReportInput, address: string): Promise<StoredReport> {
    const { transactor, clock, ids } = this.#deps;
    const { accountId, environment } = scope;
    const ref = { accountId, environment, reportId: ids.uuid() };
    const period = parsePeriod(input);
    return transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      await createReport(tx, { ...ref, period, address, at });
      await enqueueReport(tx, ref, at);
      const created = await findReport(tx, ref);
      if (!created) throw new Error(`report ${ref.reportId} was not written`);
      return created;
    });
  }

  /** @throws Problem NOT_FOUND, also for a report of another environment */
  async get(scope: Scope, reportId: string): Promise<StoredReport> {
    const found = await findReport(this.#deps.db, { ...scope, reportId });
    if (!found) throw new Problem("NOT_FOUND", `There is no report ${reportId}.`);
    return found;
  }

  /**
   * Opens the file of a Ready report. The requested name must equal the stored name, from which the
   * path is built.
   * @throws Problem NOT_FOUND
   */
  async openFile(
    scope: Scope,
    reportId: string,
    name: string,
  ): Promise<{ size: number; content: ReadStream }> {
    const { fileName } = await this.get(scope, reportId);
    if (fileName === undefined || fileName !== name) {
      throw new Problem("NOT_FOUND", "This report has no such file.");
    }
    const file = await this.#deps.files.open(fileName);
    if (!file) {
      throw new Problem("NOT_FOUND", "The file is not kept any more. Request the report again.");
    }
    return { size: (await file.stat()).size, content: file.createReadStream() };
  }
}

export const REPORT_JOB = "report.generate";

/** Time after a report's request until which errors other than storage errors are retried. */
const GIVE_UP_AFTER_MS = 24 * HOUR;

interface ReportThread {
  run(
    task: "writeReport",
    order: ReportOrder & { database: string },
    options: { signal: AbortSignal },
  ): Promise<number>;
}

interface ReportGeneratorDeps extends Pick<Base, "db" | "transactor" | "clock" | "log"> {
  config: { dataDir: string; database?: string | undefined };
  background: ReportThread;
  files: Pick<ReportFiles, "share">;
  /** Queues a message for the webhooks. */
  sendMessage: SendMessage;
}

type SendMessage = (
  tx: Tx,
  message: Scope & { kind: "REPORT"; subject: string; at: number },
  render: () => Promise<object | undefined>,
) => Promise<void>;

async function enqueueReport(tx: Tx, ref: ReportRef, runAt: number): Promise<void> {
  const subject = encodeSubject(ref, ref.reportId);
  await enqueueJob(tx, { kind: REPORT_JOB, subject, runAt });
}

/**
 * Writes reports (rules#report-states). A report becomes Ready only after its file is complete and
 * on the disk. After an interruption, the file is written again from the start.
 */
class ReportGenerator {
  readonly #deps: ReportGeneratorDeps;
  readonly #stop = new AbortController();

  constructor(deps: ReportGeneratorDeps) {
    this.#deps = deps;
  }

  /** Cancels the report that is being written. The next start writes it again. */
  stop(): void {
    this.#stop.abort();
  }

  async generate(subject: string): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    const { scope, id: reportId } = decodeSubject(subject);
    const report = await findReport(db, { ...scope, reportId });
    if (report?.status !== "REQUESTED") return;
    const outcome = await this.#write(report);
    const at = clock.now();
    await transactor.transact(scope.accountId, async (tx) => {
      if (!outcome) return enqueueReport(tx, report, at);
      await transitionReport(tx, report, outcome, at);
      await this.#announce(tx, report, at);
    });
  }

  /** Sends a finished report to the webhooks as GET returns it at the address of its request. */
  async #announce(tx: Tx, { address, ...ref }: StoredReport, at: number): Promise<void> {
    if (address === undefined) return;
    const { accountId, environment, reportId: subject } = ref;
    const message = { accountId, environment, kind: "REPORT", subject, at } as const;
    await this.#deps.sendMessage(tx, message, async () => {
      const finished = await findReport(tx, ref);
      return finished && toReportRecord(finished, address);
    });
  }

  /**
   * Returns undefined if the gateway stops. A storage error ends the report as FAILED. Until a day
   * after the request, other errors are thrown, so that the job runner retries.
   */
  async #write(report: StoredReport): Promise<ReportOutcome | undefined> {
    const { clock, log, config, background } = this.#deps;
    const { accountId, environment, period } = report;
    const { signal } = this.#stop;
    const fileName = `transactions-${report.reportId}.csv`;
    const { dataDir } = config;
    const order = { dataDir, fileName, scope: { accountId, environment }, period };
    try {
      const database = placeOfDatabase(config);
      const rows = await background.run("writeReport", { database, ...order }, { signal });
      await this.#deps.files.share(fileName);
      const message = `Report is ready: ${rows} transactions`;
      return { status: "Ready", message, fileName };
    } catch (error) {
      if (signal.aborted) return undefined;
      const fault = describeWriteFault(error);
      if (fault === undefined && clock.now() - report.createdAt < GIVE_UP_AFTER_MS) throw error;
      log.error({ err: error, report: report.reportId }, "a report could not be written");
      return fault === undefined ? expired() : unwritable(fault, error);
    }
  }
}

/** Uses only the system's error code, because its message contains paths of this machine. */
function unwritable(fault: string, error: unknown): ReportOutcome {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return {
    status: "FAILED",
    message: `The file could not be written: ${fault} (${[code, syscall].filter(Boolean).join(", ")})`,
    error: {
      code: "REPORT_NOT_WRITTEN",
      description: "The report's file could not be written. Mend the disk and request it again.",
      message: `The file could not be written: ${fault}.`,
    },
  };
}

function expired(): ReportOutcome {
  const message = "The report could not be generated within 24 hours";
  return {
    status: "FAILED",
    message,
    error: {
      code: "REPORT_NOT_GENERATED",
      description: "The report could not be generated; the gateway's log says why.",
      message: `${message}.`,
    },
  };
}

export { toHarmlessCell } from "./report-csv.ts";
export { ReportFiles, reportsDirectory } from "./report-files.ts";
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
