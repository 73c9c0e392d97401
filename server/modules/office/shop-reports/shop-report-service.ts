import type { ReadStream } from "node:fs";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import {
  type AccountingSettings,
  FORMATS_OF,
  MOST_REPORT_DAYS,
  type ShopReport,
  type ShopReportInput,
  type ShopReports,
} from "../../../contract/pos/shop-reports.ts";
import { Problem, refuseFields } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { placeOfDatabase } from "../../../db/database-place.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { ReportFiles } from "../../books/reports/index.ts";
import type { Base } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import type { BrandNames, FigureReader } from "../figures/index.ts";
import { ReportRefused } from "./books-formats.ts";
import type { DayPdfOrder } from "./day-pdf/day-pdf.ts";
import {
  type ContentDeps,
  listDays,
  readAccounting,
  writeAccounting,
  writeContent,
} from "./report-content.ts";
import {
  addReport,
  endReport,
  findSchedule,
  findShopReport,
  listShopReports,
  type ReportEnd,
  readScheduleNames,
  type StoredShopReport,
} from "./shop-report-store.ts";

export const SHOP_REPORT_JOB = "shop-report.make";

const MAX_NAME_LENGTH = 40;

const GIVE_UP_AFTER_MS = DAY;

export interface ReportDeps
  extends ContentDeps,
    DayMakerDeps,
    Pick<Base, "transactor" | "ids" | "log"> {
  reportFiles: ReportFiles;
  shop: ShopService;
}

/**
 * Reads data for a report that ends. The returned function writes in the transaction that ends the
 * report.
 */
type AfterReport = (report: StoredShopReport) => Promise<(tx: Tx) => Promise<void>>;

/**
 * Reports of the shop's figures, written by a job and stored for 90 days (rules#figure-reports).
 */
export class ShopReportService {
  readonly #deps: ReportDeps;
  readonly #days: DayMaker;
  readonly #after: AfterReport;

  constructor(deps: ReportDeps, after: AfterReport) {
    this.#deps = deps;
    this.#days = new DayMaker(deps);
    this.#after = after;
  }

  /** @throws Problem INVALID_REQUEST naming the field */
  async request(author: ScopedAuthor, input: ShopReportInput): Promise<ShopReport> {
    requireMakeable(input);
    const { transactor, clock, ids } = this.#deps;
    const { accountId, environment, staffId } = author;
    const reportId = ids.uuid();
    const report = await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      await this.add(tx, { accountId, environment, reportId, staffId, ...input });
      const { kind, format, firstDay, lastDay } = input;
      const detail = { environment, kind, format, firstDay, lastDay };
      const entry = { accountId, staffId, subject: reportId, detail, at };
      await recordAudit(tx, { ...entry, action: "report.request" });
      // After the commit, a job may already have changed the report.
      return findShopReport(tx, { accountId, environment, reportId });
    });
    if (!report) throw new Error(`the saved report ${reportId} is missing`);
    return this.#view(report);
  }

  async add(
    tx: Tx,
    report: Scope &
      ShopReportInput & { reportId: string; staffId?: string | undefined; scheduleId?: string },
  ): Promise<void> {
    const createdAt = this.#deps.clock.now();
    const { staffId, scheduleId, kind } = report;
    // Only day documents have a language.
    const language = kind === "DAY" ? report.language : undefined;
    await addReport(tx, { ...report, staffId, scheduleId, language, createdAt });
    const subject = encodeSubject(report, report.reportId);
    await enqueueJob(tx, { kind: SHOP_REPORT_JOB, subject, runAt: createdAt });
  }

  async list(scope: Scope, page: { limit: number; offset: number }): Promise<ShopReports> {
    const { total, reports } = await listShopReports(this.#deps.db, scope, page);
    return { ...page, total, list: await this.#viewAll(scope, reports) };
  }

  /** @throws Problem NOT_FOUND */
  async get(scope: Scope, reportId: string): Promise<ShopReport> {
    const report = await findShopReport(this.#deps.db, { ...scope, reportId });
    if (!report) throw new Problem("NOT_FOUND", `There is no report ${reportId}.`);
    return this.#view(report);
  }

  /**
   * Records the reader in the audit trail.
   * @throws Problem NOT_FOUND
   */
  async openFile(
    author: ScopedAuthor,
    reportId: string,
  ): Promise<{ name: string; type: string; content: ReadStream }> {
    const { db, reportFiles, transactor, clock, shop } = this.#deps;
    const { accountId, environment, staffId } = author;
    const report = await findShopReport(db, { accountId, environment, reportId });
    if (report?.fileName === undefined) {
      throw new Problem("NOT_FOUND", "This report has no file.");
    }
    const file = await reportFiles.open(report.fileName);
    if (!file) {
      throw new Problem("NOT_FOUND", "The file is not kept any more. Request the report again.");
    }
    const { kind, format, firstDay, lastDay } = report;
    const detail = { environment, kind, format, firstDay, lastDay };
    const entry = { accountId, staffId, subject: reportId, detail, at: clock.now() };
    await transactor.transact(accountId, (tx) =>
      recordAudit(tx, { ...entry, action: "report.download" }),
    );
    const { name: shopName } = await shop.get(accountId);
    const type = format === "PDF" ? "application/pdf" : "text/csv; charset=utf-8";
    return { name: downloadName(report, shopName), type, content: file.createReadStream() };
  }

  getAccounting(accountId: string): Promise<AccountingSettings> {
    return readAccounting(this.#deps.db, accountId);
  }

  /** @throws Problem INVALID_REQUEST naming a rate that is listed twice */
  async setAccounting(
    { accountId, staffId }: ScopedAuthor,
    input: AccountingSettings,
  ): Promise<AccountingSettings> {
    const { transactor, clock } = this.#deps;
    const settings = { ...input, ...(input.taxes && { taxes: tidyTaxes(input.taxes) }) };
    await transactor.transact(accountId, async (tx) => {
      await writeAccounting(tx, accountId, settings);
      const entry = { accountId, staffId, subject: accountId, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "accounting.change" });
    });
    return settings;
  }

  /** Retries temporary failures. A storage error or an invalid request ends the report. */
  async make(subject: string): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    const { scope, id: reportId } = decodeSubject(subject);
    const report = await findShopReport(db, { ...scope, reportId });
    if (report?.state !== "REQUESTED") return;
    const end = await this.#write(report);
    const follow = await this.#after({ ...report, ...end, finishedAt: clock.now() });
    await transactor.transact(scope.accountId, async (tx) => {
      await endReport(tx, report, end, clock.now());
      await follow(tx);
    });
  }

  async #write(report: StoredShopReport): Promise<ReportEnd> {
    const { reportFiles, clock, log } = this.#deps;
    const { reportId, kind, format } = report;
    const fileName = `shop-${reportId}.${kind === "DAY" ? "pdf" : "csv"}`;
    try {
      if (kind === "DAY" || format === "PDF") await this.#days.write(report, fileName);
      else await reportFiles.write(fileName, writeContent(this.#deps, { ...report, kind, format }));
      await reportFiles.share(fileName);
      return { state: "READY", fileName };
    } catch (error) {
      if (error instanceof ReportRefused) return { state: "FAILED", fault: error.message };
      const fault = describeStorageFault(error);
      if (fault === undefined && clock.now() - report.createdAt < GIVE_UP_AFTER_MS) throw error;
      log.error({ err: error, report: report.reportId }, "could not write a report");
      return {
        state: "FAILED",
        fault: `The file could not be written: ${fault ?? "see the log"}.`,
      };
    }
  }

  async #view(report: StoredShopReport): Promise<ShopReport> {
    const [viewed] = await this.#viewAll(report, [report]);
    if (!viewed) throw new Error("the report has no view");
    return viewed;
  }

  async #viewAll(scope: Scope, reports: readonly StoredShopReport[]): Promise<ShopReport[]> {
    const { db, shop } = this.#deps;
    const { name: shopName } = await shop.get(scope.accountId);
    const people = reports.flatMap(({ staffId }) => staffId ?? []);
    const names = await staffNames(db, scope.accountId, people);
    const schedules = await readScheduleNames(db, scope);
    return reports.map((report) => {
      const { staffId, scheduleId, finishedAt } = report;
      return {
        reportId: report.reportId,
        environment: report.environment,
        kind: report.kind,
        format: report.format,
        firstDay: report.firstDay,
        lastDay: report.lastDay,
        state: report.state,
        ...(report.state === "READY" && { fileName: downloadName(report, shopName) }),
        ...(report.fault !== undefined && { fault: report.fault }),
        ...(staffId !== undefined && {
          requestedBy: { staffId, name: names.get(staffId) ?? "" },
        }),
        ...(scheduleId !== undefined && { scheduleName: schedules.get(scheduleId) ?? "" }),
        createdAt: toTimestamp(report.createdAt),
        ...(finishedAt !== undefined && { finishedAt: toTimestamp(finishedAt) }),
      };
    });
  }
}

/** @throws Problem INVALID_REQUEST naming the field */
function requireMakeable({ kind, format, firstDay, lastDay }: ShopReportInput): void {
  const fields: Record<string, string> = {};
  if (!FORMATS_OF[kind].includes(format)) fields.format = `must be one of ${FORMATS_OF[kind]}`;
  for (const [name, day] of Object.entries({ firstDay, lastDay })) {
    const at = Date.parse(`${day}T00:00:00Z`);
    const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
    if (!isDay) fields[name] = "must be a day such as 2026-01-31";
  }
  if (Object.keys(fields).length === 0) {
    if (lastDay < firstDay) fields.lastDay = "must not be before firstDay";
    else if (kind === "DAY" && lastDay !== firstDay) fields.lastDay = "must be firstDay for DAY";
    else if (listDays({ firstDay, lastDay }).length > MOST_REPORT_DAYS) {
      fields.lastDay = `must be within ${MOST_REPORT_DAYS} days`;
    }
  }
  refuseFields("The report is", fields);
}

/** Returns the download name. DATEV requires a prefix. Accountants need the shop's name. */
export function downloadName(report: StoredShopReport, shopName: string): string {
  const { kind, format, firstDay, lastDay, environment } = report;
  const days = firstDay === lastDay ? firstDay : `${firstDay}-${lastDay}`;
  const isTest = environment === "test" ? "test-" : "";
  const name = `${isTest}${kind.toLowerCase()}-${days}`;
  if (format === "PDF") return `${isTest}${inFileName(shopName)}${days}.pdf`;
  return format === "DATEV" ? `EXTF_${name}.csv` : `${name}-${format.toLowerCase()}.csv`;
}

/** Keeps letters and digits of any script, which all file systems allow. */
function inFileName(name: string): string {
  const words = name.normalize("NFC").split(/[^\p{L}\p{M}\p{N}]+/u);
  const text = words.filter((word) => word !== "").join("-");
  return text === "" ? "" : `${[...text].slice(0, MAX_NAME_LENGTH).join("")}-`;
}

/**
 * Normalizes rates to the form of the figures, because other forms would never match. Refuses
 * duplicates.
 */
function tidyTaxes(
  taxes: NonNullable<AccountingSettings["taxes"]>,
): NonNullable<AccountingSettings["taxes"]> {
  const seen = new Set<string>();
  return taxes.map(({ kind, percent: typed, account }, index) => {
    const percent = new Exact(typed).toFixed();
    if (seen.has(`${kind} ${percent}`)) {
      throw new Problem("INVALID_REQUEST", "A tax rate is listed twice.", {
        [`taxes.${index}.percent`]: "is listed twice",
      });
    }
    seen.add(`${kind} ${percent}`);
    return { kind, percent, account };
  });
}

export interface DayPdfThread {
  run(task: "writeDayPdf", order: DayPdfOrder & { database: string }): Promise<void>;
}

interface DayMakerDeps extends Pick<Base, "db" | "clock"> {
  shop: ShopService;
  catalog: BrandNames;
  figureReader: FigureReader;
  background: DayPdfThread;
  config: { dataDir: string; database?: string | undefined; resourcesDir: string };
}

/** Writes a day's document on a worker thread (rules#figure-day-document). */
class DayMaker {
  readonly #deps: DayMakerDeps;

  constructor(deps: DayMakerDeps) {
    this.#deps = deps;
  }

  async write(report: StoredShopReport, fileName: string): Promise<void> {
    const { background, config, figureReader } = this.#deps;
    const order = {
      database: placeOfDatabase(config),
      ...(await this.#createOrder(report, fileName)),
    };
    try {
      await background.run("writeDayPdf", order);
    } catch (error) {
      if (!isUnsound(error)) throw error;
      // The worker thread is read-only, so this thread recounts damaged sums.
      await figureReader.recount(report, report);
      await background.run("writeDayPdf", order);
    }
  }

  async #createOrder(report: StoredShopReport, fileName: string): Promise<DayPdfOrder> {
    const { clock, shop, catalog, config } = this.#deps;
    const { accountId, environment, firstDay } = report;
    const { brands } = await catalog.getSnapshot(report);
    return {
      dataDir: config.dataDir,
      resourcesDir: config.resourcesDir,
      fileName,
      scope: { accountId, environment },
      day: firstDay,
      language: report.language ?? (await shop.get(accountId)).language,
      now: clock.now(),
      madeBy: await this.#readMaker(report),
      brandNames: Array.from(brands, ([code, { brandName }]) => [code, brandName] as const),
    };
  }

  async #readMaker(report: Scope & Pick<StoredShopReport, "staffId" | "scheduleId">) {
    const { db } = this.#deps;
    const { accountId, environment, staffId, scheduleId } = report;
    if (staffId !== undefined) {
      const names = await staffNames(db, accountId, [staffId]);
      return { kind: "PERSON" as const, name: names.get(staffId) ?? "" };
    }
    const schedule =
      scheduleId === undefined
        ? undefined
        : await findSchedule(db, { accountId, environment, scheduleId });
    return { kind: "SCHEDULE" as const, name: schedule?.input.name ?? "" };
  }
}

/** The error's class is lost during the transfer between threads; its code is not. */
function isUnsound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNSOUND_SUMS";
}
