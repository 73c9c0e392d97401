import type { PosSession } from "../../../server/contract/pos/staff.ts";
import { OFFICE_SECTIONS, type OfficeSectionName } from "../../lib/office-section.ts";
import { SECTIONS } from "./office-sections.ts";

/** The sections that a person may open, in the order of the menu. */
export function sectionsFor(session: PosSession): OfficeSectionName[] {
  return OFFICE_SECTIONS.filter((name) => SECTIONS[name].isFor(session));
}
