import type { ShiftFigures, ShiftWithFloat, XReport } from "../../../server/contract/pos/shifts.ts";

/** X report with all figures. People who count blind do not receive these figures. */
export type WholeX = XReport & { readonly shift: ShiftWithFloat; readonly figures: ShiftFigures };

export function isWhole(x: XReport): x is WholeX {
  return x.figures !== undefined && x.shift.float !== undefined;
}
