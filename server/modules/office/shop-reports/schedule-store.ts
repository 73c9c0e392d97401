import { Type } from "typebox";
import { ScheduleInput } from "../../../contract/pos/shop-reports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";

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
