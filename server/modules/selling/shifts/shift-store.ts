import type { Selectable } from "kysely";
import {
  type CashCount,
  type MovementInput,
  type MovementKind,
  type ShiftWithFloat,
  ZReport,
} from "../../../contract/pos/shifts.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { countRows, findInScope, inSameScope, inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Unit } from "../../../lib/money.ts";

export type ShiftRow = Selectable<Tables["shifts"]>;
export type MovementRow = Selectable<Tables["cash_movements"]> & { kind: MovementKind };

export interface NewShift extends Scope, Unit {
  shiftId: string;
  staffId: string;
  float: number;
  count: CashCount | undefined;
  at: number;
}

export async function createShift(tx: Tx, shift: NewShift): Promise<void> {
  await tx
    .insertInto("shifts")
    .values({
      account_id: shift.accountId,
      environment: shift.environment,
      shift_id: shift.shiftId,
      staff_id: shift.staffId,
      currency: shift.currency,
      currency_divisor: shift.currencyDivisor,
      opened_at: shift.at,
      opening_float: shift.float,
      count_json: shift.count ? JSON.stringify(shift.count) : null,
    })
    .execute();
}

export async function findShift(
  db: Db | Tx,
  scope: Scope,
  shiftId: string,
): Promise<ShiftRow | undefined> {
  return findInScope(db, "shifts", scope, { shift_id: shiftId });
}

/** @throws Problem NOT_FOUND */
export async function getShift(db: Db | Tx, scope: Scope, shiftId: string): Promise<ShiftRow> {
  const shift = await findShift(db, scope, shiftId);
  if (!shift) throw new Problem("NOT_FOUND", "There is no such shift.");
  return shift;
}

export async function findOpenShift(
  db: Db | Tx,
  scope: Scope,
  staffId: string,
): Promise<ShiftRow | undefined> {
  return db
    .selectFrom("shifts")
    .selectAll()
    .where(inScope(scope))
    .where("staff_id", "=", staffId)
    .where("closed_at", "is", null)
    .executeTakeFirst();
}

/**
 * Returns the id of the seller's open shift, whose drawer takes the money.
 * @throws Problem SHIFT_REQUIRED
 */
export async function requireOpenShift(
  db: Db | Tx,
  scope: Scope,
  staffId: string,
): Promise<string> {
  const shift = await findOpenShift(db, scope, staffId);
  if (!shift) throw new Problem("SHIFT_REQUIRED", "Open your shift first. Nothing was charged.");
  return shift.shift_id;
}

export async function listOpenShifts(
  db: Db | Tx,
  { accountId, environment }: { accountId: string; environment?: Scope["environment"] },
): Promise<ShiftRow[]> {
  let query = db
    .selectFrom("shifts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("closed_at", "is", null);
  if (environment) query = query.where("environment", "=", environment);
  return query.orderBy("opened_at").orderBy("shift_id").execute();
}

/**
 * The caller must have checked that the shift is open.
 * @throws Error if the shift is closed
 */
export async function endShift(tx: Tx, shift: ShiftRow, at: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("shifts")
    .set({ closed_at: at })
    .where(inScope(shift))
    .where("shift_id", "=", shift.shift_id)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`the shift ${shift.shift_id} is not open`);
}

export async function recordMovement(
  tx: Tx,
  shift: ShiftRow,
  movement: { input: MovementInput; staffId: string; approvedBy: string | undefined; at: number },
): Promise<void> {
  const { input, staffId, approvedBy, at } = movement;
  await tx
    .insertInto("cash_movements")
    .values({
      account_id: shift.account_id,
      environment: shift.environment,
      movement_id: input.movementId,
      shift_id: shift.shift_id,
      kind: input.kind,
      amount: input.amount ?? 0,
      reason: input.reason?.trim() ?? "",
      staff_id: staffId,
      approved_by: approvedBy ?? null,
      recorded_at: at,
    })
    .execute();
}

export async function findMovement(
  db: Db | Tx,
  scope: Scope,
  movementId: string,
): Promise<MovementRow | undefined> {
  return db
    .selectFrom("cash_movements")
    .selectAll()
    .where(inScope(scope))
    .where("movement_id", "=", movementId)
    .$narrowType<{ kind: MovementKind }>()
    .executeTakeFirst();
}

export async function findMovementAuthor(
  db: Db | Tx,
  scope: Scope,
  movementId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const row = await findMovement(db, scope, movementId);
  return row && { staffId: row.staff_id, at: row.recorded_at };
}

export async function listMovements(db: Db | Tx, shift: ShiftRow): Promise<MovementRow[]> {
  return db
    .selectFrom("cash_movements")
    .selectAll()
    .where(inScope(shift))
    .where("shift_id", "=", shift.shift_id)
    .orderBy("recorded_at")
    .orderBy("movement_id")
    .$narrowType<{ kind: MovementKind }>()
    .execute();
}

/** Shifts do not exist in training. */
export function toShiftScope(shift: ShiftRow): Scope & { training: false } {
  return { accountId: shift.account_id, environment: shift.environment, training: false };
}

export function toShift(row: ShiftRow, names: ReadonlyMap<string, string>): ShiftWithFloat {
  return {
    shiftId: row.shift_id,
    environment: row.environment,
    staff: { staffId: row.staff_id, name: names.get(row.staff_id) ?? "" },
    openedAt: toTimestamp(row.opened_at),
    ...(row.closed_at !== null && { closedAt: toTimestamp(row.closed_at) }),
    currency: row.currency,
    currencyDivisor: row.currency_divisor,
    float: row.opening_float,
  };
}

type ZReportRow = Selectable<Tables["z_reports"]>;

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
  const total = await countRows(query);
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
