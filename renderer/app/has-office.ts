import type { PosSession } from "../../server/contract/pos/staff.ts";

/** Whether any section of the back office is for a person. Nobody opens it in training. */
export function hasOffice({ staff, rights, training }: PosSession): boolean {
  return !training && (staff.role === "owner" || rights.seeFigures);
}
