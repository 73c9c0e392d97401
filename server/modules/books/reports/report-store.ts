import type { Selectable } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import { findInstant } from "../../../contract/created-at-filter.ts";
import { Problem } from "../../../contract/problem.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { Report, ReportInput, ReportStatus } from "../../../contract/v1/reports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";

export interface ReportRef extends Scope {
  reportId: string;
}

interface ReportLogEntry {
  recordedAt: number;
  status: ReportStatus;
  message: string;
}

/** Instants are in milliseconds. */
export interface StoredReport extends ReportRef {
  status: ReportStatus;
  period: Period;
  /** Present if the report is Ready. */
  fileName: string | undefined;
  /** Present if the report is FAILED. */
  error: TransactionError | undefined;
  /** Address of the gateway in the request; undefined for a report of an earlier version. */
  address: string | undefined;
  createdAt: number;
  updatedAt: number;
  log: ReportLogEntry[];
}

export type ReportOutcome =
  | { status: "Ready"; message: string; fileName: string }
  | { status: "FAILED"; message: string; error: TransactionError };

export async function createReport(
  tx: Tx,
  report: ReportRef & { period: Period; address: string; at: number },
): Promise<void> {
  const { period, address, at } = report;
  await tx
    .insertInto("reports")
    .values({
      ...key(report),
      status: "REQUESTED",
      start_gte: period.startGte,
      end_lt: period.endLt,
      requested_at: address,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

/**
 * Changes a report's state: REQUESTED → Ready or FAILED, both final.
 * @throws if the report has left REQUESTED
 */
export async function transitionReport(
  tx: Tx,
  ref: ReportRef,
  outcome: ReportOutcome,
  at: number,
): Promise<void> {
  const { status, message } = outcome;
  const error = outcome.status === "FAILED" ? outcome.error : undefined;
  const result = await tx
    .updateTable("reports")
    .set({
      status,
      end_message: message,
      file_name: outcome.status === "Ready" ? outcome.fileName : null,
      error_code: error?.code ?? null,
      error_description: error?.description ?? null,
      error_message: error?.message ?? null,
      updated_at: at,
    })
    .where(inScope(ref))
    .where("report_id", "=", ref.reportId)
    .where("status", "=", "REQUESTED")
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Error(`${ref.reportId} is not REQUESTED any more`);
}

export async function findReport(db: Db | Tx, ref: ReportRef): Promise<StoredReport | undefined> {
  const row = await findInScope(db, "reports", ref, { report_id: ref.reportId });
  if (!row) return undefined;
  return {
    accountId: row.account_id,
    environment: row.environment,
    reportId: row.report_id,
    status: row.status,
    period: { startGte: row.start_gte, endLt: row.end_lt },
    fileName: row.file_name ?? undefined,
    error:
      row.error_code === null
        ? undefined
        : {
            code: row.error_code,
            description: row.error_description ?? "",
            message: row.error_message ?? "",
          },
    address: row.requested_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    log: toLog(row),
  };
}

export async function listReadyFiles(db: Db | Tx, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom("reports")
    .select("file_name")
    .where("account_id", "in", db.selectFrom("accounts").select("account_id"))
    .where("environment", "in", ENVIRONMENTS)
    .where("status", "=", "Ready")
    .where("updated_at", "<", before)
    .execute();
  return rows.flatMap(({ file_name }) => (file_name === null ? [] : [file_name]));
}

/** A report has an entry of its request, and an entry of its end. */
function toLog(row: Selectable<Tables["reports"]>): ReportLogEntry[] {
  const { status, created_at, updated_at, end_message } = row;
  return [
    { recordedAt: created_at, status: "REQUESTED", message: "Report requested" },
    ...(status === "REQUESTED"
      ? []
      : [{ recordedAt: updated_at, status, message: end_message ?? "" }]),
  ];
}

function key(ref: ReportRef) {
  return {
    account_id: ref.accountId,
    environment: ref.environment,
    report_id: ref.reportId,
  };
}

/** Finish times in milliseconds; `endLt` is exclusive (rules#report-period). */
export interface Period {
  startGte: number;
  endLt: number;
}

/** Maximum number of days in a period (rules#report-period). */
const LONGEST_DAYS = 366;
/** The last instant that RFC 3339 can express. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** @throws Problem INVALID_REQUEST naming each invalid bound */
export function parsePeriod(input: ReportInput): Period {
  const startGte = boundOf(input.startGte);
  const endLt = boundOf(input.endLt);
  if (startGte === undefined || endLt === undefined) {
    throw invalid({
      ...(startGte === undefined && { startGte: "must be an RFC 3339 UTC time that exists" }),
      ...(endLt === undefined && { endLt: "must be an RFC 3339 UTC time that exists" }),
    });
  }
  if (endLt <= startGte) throw invalid({ endLt: "must be later than startGte" });
  if (endLt - startGte > LONGEST_DAYS * DAY) {
    throw invalid({ endLt: `must be at most ${LONGEST_DAYS} days after startGte` });
  }
  return { startGte, endLt };
}

/**
 * Rounds up to whole milliseconds. Finish times are whole milliseconds, so the rounded bound
 * selects the same transactions.
 */
function boundOf(text: string): number | undefined {
  const instant = findInstant(text);
  const bound = instant === undefined ? undefined : Math.ceil(instant);
  return bound === undefined || bound > LATEST ? undefined : bound;
}

function invalid(fields: Record<string, string>): Problem {
  const names = Object.keys(fields).join(", ");
  return new Problem("INVALID_REQUEST", `The request is not valid: ${names}.`, fields);
}

/** @param address address of the gateway, which the link to the file contains */
export function toReportRecord(report: StoredReport, address: string): Report {
  const { reportId, status, period, fileName } = report;
  const link = `${address}/v1/reports/transactions/${reportId}/${fileName}`;
  return {
    reportId,
    status,
    createdAt: toTimestamp(report.createdAt),
    updatedAt: toTimestamp(report.updatedAt),
    period: { startGte: toTimestamp(period.startGte), endLt: toTimestamp(period.endLt) },
    ...(fileName !== undefined && { file: { name: fileName, downloadUrl: link } }),
    ...(report.error && { error: report.error }),
    log: report.log.map((entry) => ({
      message: entry.message,
      recordedAt: toTimestamp(entry.recordedAt),
      status: entry.status,
    })),
  };
}
