import type { ReadStream } from "node:fs";
import { Problem } from "../../../contract/problem.ts";
import type { ReportInput } from "../../../contract/v1/reports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { ReportFiles } from "./report-files.ts";
import { enqueueReport } from "./report-generator.ts";
import { parsePeriod } from "./report-period.ts";
import { createReport, findReport, type StoredReport } from "./report-store.ts";

interface ReportServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  files: ReportFiles;
}

export class ReportService {
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
