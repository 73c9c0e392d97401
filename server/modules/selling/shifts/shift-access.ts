import type { Actor } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import type { ShiftRow } from "./shift-store.ts";

/** What is asked first, whatever is to be done with a shift: whose it is, and whether it is open. */

/** @throws Problem FORBIDDEN: training belongs to nobody's shift */
export function requireNoTraining({ training }: Actor): void {
  if (!training) return;
  throw new Problem("FORBIDDEN", "Training belongs to no shift. End the training first.", {
    training: "must be over",
  });
}

/** @throws Problem FORBIDDEN: a drawer is moved by its own person only. */
export function requireSelf(worker: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== worker.staffId) throw notYours();
}

/** @throws Problem FORBIDDEN: a Z report is its own person's, or of people who see the shop's figures. */
export function requireReader(reader: Actor, { staff_id }: { staff_id: string }): void {
  if (staff_id !== reader.staffId && !reader.rights.seeFigures) throw notYours();
}

/** @throws Problem FORBIDDEN: only owners see what is in another person's drawer. */
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
