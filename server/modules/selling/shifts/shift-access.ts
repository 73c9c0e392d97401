import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { CashCount, MovementInput, MovementKind } from "../../../contract/pos/shifts.ts";
import { Problem } from "../../../contract/problem.ts";
import type { ShiftRow } from "./shift-store.ts";

/**
 * Training belongs to no shift.
 * @throws Problem FORBIDDEN in training
 */
export function requireNoTraining({ training }: Actor): void {
  if (!training) return;
  throw new Problem("FORBIDDEN", "Training belongs to no shift. End the training first.", {
    training: "must be over",
  });
}

/**
 * Admits only the person of the shift.
 * @throws Problem FORBIDDEN
 */
export function requireSelf(worker: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== worker.staffId) throw notYours();
}

/**
 * Admits the person of the shift, and people who may see figures.
 * @throws Problem FORBIDDEN
 */
export function requireReader(reader: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== reader.staffId && !reader.rights.seeFigures) throw notYours();
}

/**
 * Admits the person of the shift, and owners.
 * @throws Problem FORBIDDEN
 */
export function requireOwn(worker: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== worker.staffId && worker.role !== "owner") throw notYours();
}

function notYours(): Problem {
  return new Problem("FORBIDDEN", "This is somebody else's shift.");
}

/** @throws Problem SHIFT_CLOSED */
export function requireOpen(shift: ShiftRow): void {
  if (shift.closed_at !== null) throw shiftClosed();
}

export function shiftClosed(): Problem {
  return new Problem("SHIFT_CLOSED", "This shift is closed already.");
}

/** @throws Problem INVALID_REQUEST naming `count` if the count does not add up to the amount */
export function checkCount(
  amount: number | undefined,
  count: CashCount | undefined,
  amountName: string,
): void {
  if (!count) return;
  if (amount === undefined) throw invalid(amountName, "is required beside a count");
  const denominations = new Set(count.map(({ denomination }) => denomination));
  if (denominations.size < count.length) throw invalid("count", "names a denomination twice");
  const sum = count.reduce(
    (total, { denomination, quantity }) => total + denomination * quantity,
    0,
  );
  if (sum !== amount) throw invalid("count", `comes to ${sum}, not to ${amountName}`);
}

/** @throws Problem INVALID_REQUEST naming `amount` or `reason` */
export function checkMovement({ kind, amount, reason }: MovementInput): void {
  const movesCash = kind !== "NO_SALE";
  if (movesCash && amount === undefined) throw invalid("amount", "is required");
  if (!movesCash && amount !== undefined) throw invalid("amount", "is not given for NO_SALE");
  if (kind !== "DROP" && reason === undefined) throw invalid("reason", "is required");
}

export function listMovementNeeds(kind: MovementKind): Need[] {
  if (kind === "PAY_OUT") return [{ right: "payOut" }];
  return kind === "NO_SALE" ? [{ right: "noSale" }] : [];
}

function invalid(field: string, rule: string): Problem {
  return new Problem("INVALID_REQUEST", `${field} ${rule}.`, { [field]: rule });
}
