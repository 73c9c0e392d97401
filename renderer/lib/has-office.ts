import { sells } from "../../server/contract/pos/rights.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

/** Whether any section of the back office is for a person. Nobody opens it in training. */
export function hasOffice({ staff, rights, training }: PosSession): boolean {
  const { seeFigures, changePrices, changeCatalog, settleCases } = rights;
  const isGranted = seeFigures || changePrices || changeCatalog || settleCases;
  return !training && (isGranted || isOfficeOnly({ staff }));
}

/** Whether a person sells nothing: the back office is all that they are shown. */
export function isOfficeOnly({ staff }: Pick<PosSession, "staff">): boolean {
  return !sells(staff.role);
}
