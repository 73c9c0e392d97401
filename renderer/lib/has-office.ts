import { sells } from "../../server/contract/pos/rights.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";

/** Returns whether a person may open any section of the back office; always false in training. */
export function hasOffice({ staff, rights, training }: PosSession): boolean {
  const { seeExpectedCash, seeFigures, changePrices, changeCatalog, settleCases } = rights;
  const seesMoney = seeExpectedCash || seeFigures;
  const maySettle = changePrices || changeCatalog || settleCases;
  return !training && (seesMoney || maySettle || isOfficeOnly({ staff }));
}

/** Returns a person's first screen, which also opens instead of a forbidden address. */
export function homeOf(session: Pick<PosSession, "staff"> | null | undefined): "/" | "/office" {
  return session && isOfficeOnly(session) ? "/office" : "/";
}

export function isOfficeOnly({ staff }: Pick<PosSession, "staff">): boolean {
  return !sells(staff.role);
}
