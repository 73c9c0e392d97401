import { ScheduleInput } from "../../../contract/pos/shop-reports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";

export interface StoredSchedule extends Scope {
  scheduleId: string;
  input: ScheduleInput;
  nextAt: number | undefined;
  lastDay: string | undefined;
  fault: string | undefined;
}

interface ScheduleRow {
  account_id: string;
  environment: Scope["environment"];
  schedule_id: string;
  schedule_json: string;
  next_at: number | null;
  last_day: string | null;
  fault: string | null;
}

function toSchedule(row: ScheduleRow): StoredSchedule {
  return {
    accountId: row.account_id,
    environment: row.environment,
    scheduleId: row.schedule_id,
    input: readColumn(ScheduleInput, row.schedule_json, {
      table: "report_schedules",
      column: "schedule_json",
      row: row.schedule_id,
    }),
    nextAt: row.next_at ?? undefined,
    lastDay: row.last_day ?? undefined,
    fault: row.fault ?? undefined,
  };
}

export async function listScheduleRows(db: Db | Tx, scope: Scope): Promise<StoredSchedule[]> {
  const rows = await db
    .selectFrom("report_schedules")
    .selectAll()
    .where(inScope(scope))
    .orderBy("schedule_id")
    .execute();
  return rows.map(toSchedule);
}

export async function readScheduleNames(db: Db | Tx, scope: Scope): Promise<Map<string, string>> {
  const schedules = await listScheduleRows(db, scope);
  return new Map(schedules.map(({ scheduleId, input }) => [scheduleId, input.name]));
}

export async function findSchedule(
  db: Db | Tx,
  ref: Scope & { scheduleId: string },
): Promise<StoredSchedule | undefined> {
  const row = await db
    .selectFrom("report_schedules")
    .selectAll()
    .where(inScope(ref))
    .where("schedule_id", "=", ref.scheduleId)
    .executeTakeFirst();
  return row && toSchedule(row);
}

export async function writeSchedule(tx: Tx, schedule: StoredSchedule): Promise<void> {
  const values = {
    schedule_json: JSON.stringify(schedule.input),
    next_at: schedule.nextAt ?? null,
    last_day: schedule.lastDay ?? null,
    fault: schedule.fault ?? null,
  };
  const { accountId, environment, scheduleId } = schedule;
  await tx
    .insertInto("report_schedules")
    .values({ account_id: accountId, environment, schedule_id: scheduleId, ...values })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "schedule_id"]).doUpdateSet(values),
    )
    .execute();
}

export async function deleteSchedule(tx: Tx, ref: Scope & { scheduleId: string }): Promise<void> {
  await tx
    .deleteFrom("report_schedules")
    .where(inScope(ref))
    .where("schedule_id", "=", ref.scheduleId)
    .execute();
}
