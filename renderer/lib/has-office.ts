import { sells } from "../../server/contract/pos/rights.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

/** Whether any section of the back office is for a person. Nobody opens it in training. */
export function hasOffice({ staff, rights, training }: PosSession): boolean {
  const { seeExpectedCash, seeFigures, changePrices, changeCatalog, settleCases } = rights;
  const seesMoney = seeExpectedCash || seeFigures;
  const maySettle = changePrices || changeCatalog || settleCases;
  return !training && (seesMoney || maySettle || isOfficeOnly({ staff }));
}

/** Where a person starts, and where an address leads that is not for them. */
export function homeOf(session: Pick<PosSession, "staff"> | null | undefined): "/" | "/office" {
  return session && isOfficeOnly(session) ? "/office" : "/";
}

/** Whether a person sells nothing: the back office is all that they are shown. */
export function isOfficeOnly({ staff }: Pick<PosSession, "staff">): boolean {
  return !sells(staff.role);
}
