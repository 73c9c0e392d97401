import type { Selectable } from "kysely";
import { ZReport } from "../../../contract/pos/shifts.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { type ShiftRow, toShiftScope } from "./shift-store.ts";

export type ZReportRow = Selectable<Tables["z_reports"]>;

/** @throws JsonMisfit */
export function toZReport(row: Pick<ZReportRow, "z_number" | "report_json">): ZReport {
  return readColumn(ZReport, row.report_json, {
    table: "z_reports",
    column: "report_json",
    row: row.z_number,
  });
}

/** Returns the next number: reports are numbered per environment, without gaps. */
export async function nextZNumber(tx: Tx, scope: Scope): Promise<number> {
  const { highest } = await tx
    .selectFrom("z_reports")
    .select((eb) => eb.fn.max("z_number").as("highest"))
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
  return (highest ?? 0) + 1;
}

export async function createZReport(
  tx: Tx,
  shift: ShiftRow,
  { report, requestHash, at }: { report: ZReport; requestHash: string; at: number },
): Promise<void> {
  await tx
    .insertInto("z_reports")
    .values({
      account_id: shift.account_id,
      environment: shift.environment,
      z_number: report.zNumber,
      shift_id: shift.shift_id,
      staff_id: shift.staff_id,
      closed_at: at,
      request_hash: requestHash,
      report_json: JSON.stringify(report),
    })
    .execute();
}

export async function findZReport(
  db: Db | Tx,
  scope: Scope,
  which: { zNumber: number } | { shiftId: string },
): Promise<ZReportRow | undefined> {
  const query = db.selectFrom("z_reports").selectAll().where(inScope(scope));
  return (
    "zNumber" in which
      ? query.where("z_number", "=", which.zNumber)
      : query.where("shift_id", "=", which.shiftId)
  ).executeTakeFirst();
}

export async function listZReports(
  db: Db | Tx,
  scope: Scope,
  page: { limit: number; offset: number; closed: { from: number; until: number } | undefined },
): Promise<{ total: number; rows: ZReportRow[] }> {
  let query = db.selectFrom("z_reports").where(inScope(scope));
  if (page.closed) {
    const { from, until } = page.closed;
    query = query.where("closed_at", ">=", from).where("closed_at", "<", until);
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy("z_number", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, rows };
}

export async function readZReportsClosed(
  db: Db,
  scope: Scope,
  closed: { from: number; until: number },
): Promise<ZReport[]> {
  const rows = await db
    .selectFrom("z_reports")
    .select(["z_number", "report_json"])
    .where(inScope(scope))
    .where("closed_at", ">=", closed.from)
    .where("closed_at", "<", closed.until)
    .orderBy("z_number")
    .execute();
  return rows.map(toZReport);
}

/**
 * Lists lines of earlier reports whose outcomes belong to this report, because earlier reports
 * never change.
 */
export async function listCarriedIds(db: Db | Tx, shift: ShiftRow): Promise<string[]> {
  const { accountId, environment } = toShiftScope(shift);
  const last = await db
    .selectFrom("shifts as s")
    .innerJoin("z_reports as z", inSameScope("z", "s", "shift_id"))
    .select(["z.z_number", "z.report_json"])
    .where(inScope({ accountId, environment }, "s"))
    .where("s.staff_id", "=", shift.staff_id)
    .orderBy("s.opened_at", "desc")
    // Two shifts may have been opened in the same millisecond.
    .orderBy("z.z_number", "desc")
    .limit(1)
    .executeTakeFirst();
  return last ? toZReport(last).unfinished.map((line) => line.transactionId) : [];
}
