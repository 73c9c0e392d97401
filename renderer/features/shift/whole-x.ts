import type { ShiftFigures, ShiftWithFloat, XReport } from "../../../server/contract/pos/shifts.ts";

/** How a shift stands, with its figures: a person who counts the drawer blind gets none. */
export type WholeX = XReport & { readonly shift: ShiftWithFloat; readonly figures: ShiftFigures };

export function isWhole(x: XReport): x is WholeX {
  return x.figures !== undefined && x.shift.float !== undefined;
}
