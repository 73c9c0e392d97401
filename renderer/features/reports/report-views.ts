import type { Role } from "../../../server/contract/pos/rights.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";

/** The parts of the section, by the name in their address. */
const REPORT_VIEWS = ["files", "schedules", "books", "mail", "trail"] as const;
export type ReportView = (typeof REPORT_VIEWS)[number];

/** The parts that a role may open: reports that are sent by themselves, and their mail, are the owner's. */
export function viewsFor(role: Role): readonly ReportView[] {
  if (role === "owner") return REPORT_VIEWS;
  return role === "accountant" ? ["files", "books", "trail"] : ["files"];
}

/** Which part the address names; the first for anything else. */
export function viewOf({ view }: OfficeSearch, views: readonly ReportView[]): ReportView {
  return views.find((known) => known === view) ?? "files";
}
