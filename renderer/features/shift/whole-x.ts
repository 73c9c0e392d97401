import type { ShiftFigures, ShiftWithFloat, XReport } from "../../../server/contract/pos/shifts.ts";

/** An X report with its figures; people who count blind get none. */
export type WholeX = XReport & { readonly shift: ShiftWithFloat; readonly figures: ShiftFigures };

export function isWhole(x: XReport): x is WholeX {
  return x.figures !== undefined && x.shift.float !== undefined;
}
