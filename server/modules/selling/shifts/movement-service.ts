import type { Actor } from "../../../contract/pos/actor.ts";
import type { Movement, MovementInput, Movements } from "../../../contract/pos/shifts.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
import { requireRights, staffNames } from "../../shop/staff/index.ts";
import {
  checkMovement,
  listMovementNeeds,
  noteShift,
  requireNoTraining,
  requireOpen,
  requireOwn,
  requireSelf,
} from "./shift-service.ts";
import {
  findMovement,
  getShift,
  listMovements,
  type MovementRow,
  recordMovement,
} from "./shift-store.ts";

type MovementServiceDeps = Pick<Base, "db" | "transactor" | "clock">;

export class MovementService {
  readonly #deps: MovementServiceDeps;

  constructor(deps: MovementServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_FOUND, FORBIDDEN */
  async list(worker: Actor, shiftId: string): Promise<Movements> {
    const { db } = this.#deps;
    requireNoTraining(worker);
    const shift = await getShift(db, worker, shiftId);
    requireOwn(worker, shift);
    const rows = await listMovements(db, shift);
    const staffIds = rows.flatMap(({ staff_id, approved_by }) => [
      staff_id,
      approved_by ?? staff_id,
    ]);
    const names = await staffNames(db, worker.accountId, staffIds);
    return { list: rows.map((row) => toMovement(row, names)) };
  }

  /**
   * Books a movement in the person's own drawer.
   * @throws Problem NOT_FOUND, FORBIDDEN, SHIFT_CLOSED, APPROVAL_REQUIRED, ID_TAKEN,
   * INVALID_REQUEST
   */
  async book(worker: Actor, shiftId: string, input: MovementInput): Promise<Movement> {
    const { db, transactor, clock } = this.#deps;
    requireNoTraining(worker);
    checkMovement(input);
    const row = await transactor.transact(worker.accountId, async (tx) => {
      const shift = await getShift(tx, worker, shiftId);
      requireSelf(worker, shift);
      const earlier = await findMovement(tx, worker, input.movementId);
      if (earlier) return sameMovement(earlier, shiftId, input);
      requireOpen(shift);
      const at = await businessTime(tx, worker, clock.now());
      const { movementId: subject, approvalId } = input;
      const request = { shiftId, ...input };
      const moved = {
        kind: input.kind,
        ...(input.amount !== undefined && { amount: input.amount }),
        ...(input.reason !== undefined && { reason: input.reason }),
      };
      const needs = listMovementNeeds(input.kind);
      const action = { needs, subject, request, approvalId, facts: moved };
      const approver = await requireRights(tx, worker, { ...action, at: clock.now() });
      const approvedBy = approver?.staffId;
      await recordMovement(tx, shift, { input, staffId: worker.staffId, approvedBy, at });
      const { currency, currency_divisor: currencyDivisor } = shift;
      const detail = { ...moved, currency, currencyDivisor };
      await noteShift(tx, worker, { action: "shift.movement", shiftId, at, detail });
      return findMovement(tx, worker, input.movementId);
    });
    if (!row) throw new Error("the booked movement is missing");
    const staffIds = [row.staff_id, row.approved_by ?? row.staff_id];
    return toMovement(row, await staffNames(db, worker.accountId, staffIds));
  }
}

function sameMovement(row: MovementRow, shiftId: string, input: MovementInput): MovementRow {
  const same =
    row.shift_id === shiftId &&
    row.kind === input.kind &&
    row.amount === (input.amount ?? 0) &&
    row.reason === (input.reason?.trim() ?? "");
  if (same) return row;
  throw new Problem("ID_TAKEN", "Another movement has this id.", { movementId: "is taken" });
}

function toMovement(row: MovementRow, names: ReadonlyMap<string, string>): Movement {
  const person = (staffId: string) => ({ staffId, name: names.get(staffId) ?? "" });
  return {
    movementId: row.movement_id,
    kind: row.kind,
    amount: row.amount,
    reason: row.reason,
    recordedAt: toTimestamp(row.recorded_at),
    staff: person(row.staff_id),
    ...(row.approved_by !== null && { approvedBy: person(row.approved_by) }),
  };
}
