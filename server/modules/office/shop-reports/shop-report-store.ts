import type { Selectable } from "kysely";
import { Type } from "typebox";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import {
  type ReportFormat,
  type ReportKind,
  ScheduleInput,
} from "../../../contract/pos/shop-reports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import type { Tables } from "../../../db/tables.ts";

/** Instants are in milliseconds. */
export interface StoredShopReport extends Scope {
  reportId: string;
  kind: ReportKind;
  format: ReportFormat;
  firstDay: string;
  lastDay: string;
  state: "REQUESTED" | "READY" | "FAILED";
  fileName: string | undefined;
  fault: string | undefined;
  staffId: string | undefined;
  scheduleId: string | undefined;
  /** Language of a day document; undefined for other reports. */
  language: Language | undefined;
  createdAt: number;
  finishedAt: number | undefined;
}

export type ReportEnd = { state: "READY"; fileName: string } | { state: "FAILED"; fault: string };

export async function addReport(
  tx: Tx,
  report: Omit<StoredShopReport, "state" | "fileName" | "fault" | "finishedAt">,
): Promise<void> {
  await tx
    .insertInto("shop_reports")
    .values({
      account_id: report.accountId,
      environment: report.environment,
      report_id: report.reportId,
      kind: report.kind,
      format: report.format,
      first_day: report.firstDay,
      last_day: report.lastDay,
      state: "REQUESTED",
      staff_id: report.staffId ?? null,
      schedule_id: report.scheduleId ?? null,
      language: report.language ?? null,
      created_at: report.createdAt,
    })
    .execute();
}

/** Changes REQUESTED to READY or FAILED; both are final. */
export async function endReport(
  tx: Tx,
  report: Scope & { reportId: string },
  end: ReportEnd,
  at: number,
): Promise<void> {
  const result = await tx
    .updateTable("shop_reports")
    .set({
      state: end.state,
      file_name: end.state === "READY" ? end.fileName : null,
      fault: end.state === "FAILED" ? end.fault : null,
      finished_at: at,
    })
    .where(inScope(report))
    .where("report_id", "=", report.reportId)
    .where("state", "=", "REQUESTED")
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Error(`${report.reportId} is not REQUESTED any more`);
}

export async function findShopReport(
  db: Db | Tx,
  ref: Scope & { reportId: string },
): Promise<StoredShopReport | undefined> {
  const row = await findInScope(db, "shop_reports", ref, { report_id: ref.reportId });
  return row && toReport(row);
}

export async function listShopReports(
  db: Db | Tx,
  scope: Scope,
  page: { limit: number; offset: number },
): Promise<{ total: number; reports: StoredShopReport[] }> {
  const { total } = await db
    .selectFrom("shop_reports")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom("shop_reports")
    .selectAll()
    .where(inScope(scope))
    .orderBy("created_at", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, reports: rows.map(toReport) };
}

export async function findLastScheduled(
  db: Db | Tx,
  scope: Scope,
  scheduleId: string,
): Promise<StoredShopReport | undefined> {
  const row = await db
    .selectFrom("shop_reports")
    .selectAll()
    .where(inScope(scope))
    .where("schedule_id", "=", scheduleId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toReport(row);
}

export async function listReadyShopReportFiles(db: Db | Tx, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom("shop_reports")
    .select("file_name")
    .where("account_id", "in", db.selectFrom("accounts").select("account_id"))
    .where("environment", "in", ENVIRONMENTS)
    .where("created_at", "<", before)
    .where("state", "=", "READY")
    .where("finished_at", "<", before)
    .execute();
  return rows.flatMap(({ file_name }) => (file_name === null ? [] : [file_name]));
}

function toReport(row: Selectable<Tables["shop_reports"]>): StoredShopReport {
  return {
    accountId: row.account_id,
    environment: row.environment,
    reportId: row.report_id,
    kind: row.kind,
    format: row.format,
    firstDay: row.first_day,
    lastDay: row.last_day,
    state: row.state,
    fileName: row.file_name ?? undefined,
    fault: row.fault ?? undefined,
    staffId: row.staff_id ?? undefined,
    scheduleId: row.schedule_id ?? undefined,
    language: row.language ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
  };
}

export interface StoredSchedule extends Scope {
  scheduleId: string;
  input: ScheduleInput;
  /** Time of the next check; undefined while the schedule is off. */
  nextAt: number | undefined;
  /** Last day of the last report, so that no day is sent twice. */
  lastDay: string | undefined;
  /** Reason why the last file was not copied to the folder. */
  fault: string | undefined;
}

/** Sorted by id. */
const REPORT_SCHEDULES = environmentSetting(
  "report_schedules",
  Type.Array(
    Type.Object({
      scheduleId: Type.String(),
      input: ScheduleInput,
      nextAt: Type.Optional(Type.Integer()),
      lastDay: Type.Optional(Type.String()),
      fault: Type.Optional(Type.String()),
    }),
  ),
);

export async function listScheduleRows(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<StoredSchedule[]> {
  const scope = { accountId, environment };
  const stored = (await readSetting(db, scope, REPORT_SCHEDULES)) ?? [];
  return stored.map(({ scheduleId, input, nextAt, lastDay, fault }) => ({
    ...scope,
    scheduleId,
    input,
    nextAt,
    lastDay,
    fault,
  }));
}

export async function readScheduleNames(db: Db | Tx, scope: Scope): Promise<Map<string, string>> {
  const schedules = await listScheduleRows(db, scope);
  return new Map(schedules.map(({ scheduleId, input }) => [scheduleId, input.name]));
}

export async function findSchedule(
  db: Db | Tx,
  ref: Scope & { scheduleId: string },
): Promise<StoredSchedule | undefined> {
  const schedules = await listScheduleRows(db, ref);
  return schedules.find(({ scheduleId }) => scheduleId === ref.scheduleId);
}

export async function writeSchedule(tx: Tx, schedule: StoredSchedule): Promise<void> {
  await replaceSchedule(tx, schedule, [schedule]);
}

export async function deleteSchedule(tx: Tx, ref: Scope & { scheduleId: string }): Promise<void> {
  await replaceSchedule(tx, ref, []);
}

async function replaceSchedule(
  tx: Tx,
  { accountId, environment, scheduleId }: Scope & { scheduleId: string },
  by: readonly StoredSchedule[],
): Promise<void> {
  const scope = { accountId, environment };
  const others = (await listScheduleRows(tx, scope)).filter((one) => one.scheduleId !== scheduleId);
  const stored = [...others, ...by]
    .toSorted((one, other) => (one.scheduleId < other.scheduleId ? -1 : 1))
    .map(({ input, nextAt, lastDay, fault, ...one }) => ({
      scheduleId: one.scheduleId,
      input,
      ...(nextAt !== undefined && { nextAt }),
      ...(lastDay !== undefined && { lastDay }),
      ...(fault !== undefined && { fault }),
    }));
  await writeSetting(tx, scope, REPORT_SCHEDULES, stored);
}
